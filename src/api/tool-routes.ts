import { z } from 'zod';
import { ENDPOINTS } from './endpoints.ts';
import { RunName } from './fields.ts';
import type { Route } from './route.ts';
import {
  AnswerApproval,
  Approval,
  ApprovalName,
  ApprovalStatus,
  ApprovalsQuery,
  CheckToolCall,
  CreateRule,
  Decision,
  DecisionsQuery,
  Rule,
  RuleName,
  RulesQuery,
  RuleTestResult,
  TestRules,
  ToolCallDecision,
} from './tools.ts';

const tag = 'tools';
/** More than the hall parses, so a long command gets a verdict instead of a refusal. */
const MAX_BYTES = 4 * 1024 * 1024;
const approvalId = z.strictObject({ id: ApprovalName });

export const TOOL_ROUTES = {
  callTool: {
    ...ENDPOINTS.callTool,
    tag,
    summary:
      'Check a tool call; if the verdict is `review`, check again once the approval request has been answered',
    policy: 'worker',
    params: z.strictObject({ id: RunName }),
    body: CheckToolCall,
    mostBytes: MAX_BYTES,
    example: {
      fence: 40,
      tool: 'Bash',
      command: 'npm test',
      cwd: '/work',
      worktree: '/work',
      links: {},
      scripts: {},
    },
    answers: { 200: { description: 'The decision', body: ToolCallDecision } },
  },
  listApprovals: {
    ...ENDPOINTS.listApprovals,
    tag,
    summary: 'List tool calls that wait for a person',
    policy: 'viewer',
    query: ApprovalsQuery,
    answers: {
      200: {
        description: 'The approvals, oldest first',
        body: z.object({ approvals: z.array(Approval) }),
      },
    },
  },
  getApproval: {
    ...ENDPOINTS.getApproval,
    tag,
    summary: 'Get an approval request; with `wait_seconds`, wait until it is answered',
    policy: 'viewer_or_worker',
    params: approvalId,
    query: ApprovalStatus,
    answers: { 200: { description: 'The approval', body: Approval } },
  },
  answerApproval: {
    ...ENDPOINTS.answerApproval,
    tag,
    summary: 'Approve once, deny once, or approve and make it a rule',
    policy: 'operator',
    params: approvalId,
    body: AnswerApproval,
    example: { answer: 'approve', nonce: 'k3Jx0pQ2', because: null, promote: 'project' },
    answers: { 200: { description: 'The answered approval', body: Approval } },
  },
  listRules: {
    ...ENDPOINTS.listRules,
    tag,
    summary: 'List the rules for tool calls, apart from the built-in ones',
    policy: 'viewer',
    query: RulesQuery,
    answers: {
      200: { description: 'The rules, oldest first', body: z.object({ rules: z.array(Rule) }) },
    },
  },
  setRule: {
    ...ENDPOINTS.setRule,
    tag,
    summary: 'Add a rule that accepts or denies commands',
    policy: 'operator',
    body: CreateRule,
    example: {
      verdict: 'accept',
      project: 'shop',
      match: { program: 'terraform', command: 'terraform plan*' },
      note: 'the plan is only read',
    },
    answers: { 201: { description: 'The rule, which applies at once', body: Rule } },
  },
  removeRule: {
    ...ENDPOINTS.removeRule,
    tag,
    summary: 'Remove a rule',
    policy: 'operator',
    params: z.strictObject({ id: RuleName }),
    answers: { 204: { description: 'The rule was removed' } },
  },
  testRules: {
    ...ENDPOINTS.testRules,
    tag,
    summary: 'Test a command, a rule or both without changing anything',
    policy: 'operator',
    body: TestRules,
    mostBytes: MAX_BYTES,
    example: { command: 'curl http://example.com', project: 'shop' },
    answers: {
      200: {
        description: 'What would be decided, and what the rule would have matched',
        body: RuleTestResult,
      },
    },
  },
  listDecisions: {
    ...ENDPOINTS.listDecisions,
    tag,
    summary: 'List decisions about tool calls, newest first',
    policy: 'viewer',
    query: DecisionsQuery,
    answers: {
      200: {
        description: 'A page of decisions',
        body: z.object({ decisions: z.array(Decision), next: z.string().nullable() }),
      },
    },
  },
} as const satisfies Record<string, Route>;
