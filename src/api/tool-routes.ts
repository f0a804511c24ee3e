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
    summary: 'May the agent make this call? A review is asked again once its approval is answered',
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
    answers: { 200: { description: 'What was decided', body: ToolCallDecision } },
  },
  listApprovals: {
    ...ENDPOINTS.listApprovals,
    tag,
    summary: 'Calls of tools that wait for a person',
    policy: 'viewer',
    query: ApprovalsQuery,
    answers: {
      200: { description: 'Oldest first', body: z.object({ approvals: z.array(Approval) }) },
    },
  },
  getApproval: {
    ...ENDPOINTS.getApproval,
    tag,
    summary: 'One approval; with wait_seconds, as soon as it is answered',
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
    answers: { 200: { description: 'The approval as it is now', body: Approval } },
  },
  listRules: {
    ...ENDPOINTS.listRules,
    tag,
    summary: 'Rules about calls of tools, beside those built in',
    policy: 'viewer',
    query: RulesQuery,
    answers: { 200: { description: 'Oldest first', body: z.object({ rules: z.array(Rule) }) } },
  },
  setRule: {
    ...ENDPOINTS.setRule,
    tag,
    summary: 'Accept or deny commands from now on',
    policy: 'operator',
    body: CreateRule,
    example: {
      verdict: 'accept',
      project: 'shop',
      match: { program: 'terraform', command: 'terraform plan*' },
      note: 'the plan is only read',
    },
    answers: { 201: { description: 'The rule, which holds at once', body: Rule } },
  },
  removeRule: {
    ...ENDPOINTS.removeRule,
    tag,
    summary: 'The rule holds no more',
    policy: 'operator',
    params: z.strictObject({ id: RuleName }),
    answers: { 204: { description: 'It is gone' } },
  },
  testRules: {
    ...ENDPOINTS.testRules,
    tag,
    summary: 'What would be decided, and what a rule would have matched; changes nothing',
    policy: 'operator',
    body: TestRules,
    mostBytes: MAX_BYTES,
    example: { command: 'curl http://example.com', project: 'shop' },
    answers: { 200: { description: 'What would be', body: RuleTestResult } },
  },
  listDecisions: {
    ...ENDPOINTS.listDecisions,
    tag,
    summary: 'What was decided about calls of tools, newest first',
    policy: 'viewer',
    query: DecisionsQuery,
    answers: {
      200: {
        description: 'A page of the log',
        body: z.object({ decisions: z.array(Decision), next: z.string().nullable() }),
      },
    },
  },
} as const satisfies Record<string, Route>;
