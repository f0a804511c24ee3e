import { z } from 'zod';
import { APPROVAL_ANSWERS, PROMOTIONS } from '../domain/approval.ts';
import { DECIDERS, RULE_VERDICTS, VERDICTS } from '../domain/tool-policy/verdict.ts';
import { ifThenElse, isNull, isOneOf } from './conditions.ts';
import {
  characters,
  Fence,
  line,
  Name,
  RunName,
  TaskName,
  Time,
  TimeInput,
  text,
} from './fields.ts';
import { page } from './pagination.ts';

export const RuleName = z
  .string()
  .regex(/^ru-[1-9]\d{0,14}$/, 'must be the id of a rule, such as ru-12')
  .meta({ id: 'RuleName', examples: ['ru-12'] });
export const ApprovalName = z
  .string()
  .regex(/^ap-[1-9]\d{0,14}$/, 'must be the id of an approval, such as ap-12')
  .meta({ id: 'ApprovalName', examples: ['ap-12'] });

const Verdict = z.enum(VERDICTS);
const RuleVerdict = z.enum(RULE_VERDICTS);
const Decider = z.enum(DECIDERS);

/** Unstorable characters are stored as a mark; the verdict is on the original text. */
const command = characters(2_000_000).min(1);
const folder = text(4_096).regex(/^\//, 'must be an absolute path');
const links = textsByPath(4_096);

function textsByPath(longestText: number) {
  return z
    .record(text(4_096), text(longestText))
    .refine((found) => Object.keys(found).length <= 1_000, 'must have at most 1000 entries')
    .meta({ maxProperties: 1_000 });
}

export const CheckToolCall = z
  .strictObject({
    fence: Fence,
    tool: line(100).default('Bash'),
    command,
    /** The start folder and the workspace root, as the agent sees them. */
    cwd: folder,
    worktree: folder,
    /** Words of the command that are links, with their real targets. */
    links: links.default({}),
    /** The scripts it touches, each with a hash of its content. */
    scripts: textsByPath(200).default({}),
  })
  .meta({ id: 'CheckToolCall' });

export const ToolCallDecision = z
  .object({
    verdict: Verdict,
    /** Phrased so an agent can act on it. */
    because: z.string(),
    /** `ru-12`, or `builtin:` and the entry in the hall's own tables, or `persona:` and whose list of tools it is. */
    rule: z.string(),
    /** The part of the command that decided; null for the whole. */
    part: z.string().nullable(),
    /** The approval to wait for when a person must decide. */
    approval: ApprovalName.nullable(),
  })
  .meta({ id: 'ToolCallDecision' });

export const Approval = z
  .object({
    id: ApprovalName,
    state: z.enum(['open', ...APPROVAL_ANSWERS, 'used']),
    run: RunName,
    task: TaskName,
    title: z.string(),
    project: z.string(),
    worker: z.string(),
    tool: z.string(),
    /** With all hidden, moving or direction-changing text made visible. */
    command: z.string(),
    /** Its length in characters. */
    length: z.int(),
    /** What is odd about how it is written. */
    anomalies: z.array(z.string()),
    /** Every part that could run, indented by depth. */
    tree: z.array(z.string()),
    cwd: z.string(),
    worktree: z.string(),
    because: z.string(),
    rule: z.string(),
    /** The run's last commands before it, newest first. */
    before: z.array(z.object({ command: z.string(), verdict: Verdict, at: Time })),
    requested_at: Time,
    /** When it is denied automatically. */
    expires_at: Time,
    /** Sent back with the answer; shown to operators only. */
    nonce: z.string().nullable(),
    answer: z.object({ by: z.string(), at: Time, because: z.string().nullable() }).nullable(),
  })
  .meta({ id: 'Approval' });

export const ApprovalStatus = z.strictObject({
  /** How long to wait for an answer. */
  wait_seconds: z.coerce.number<number>().min(0).max(60).default(0),
});

export const ApprovalsQuery = z.strictObject({ project: Name.optional() });

export const AnswerApproval = z
  .strictObject({
    answer: z.enum(['approve', 'deny']),
    nonce: line(100),
    because: text(1_000).nullable().default(null),
    /** With `approve`: accept the same command from now on, in its project or everywhere. */
    promote: z.enum(PROMOTIONS).nullable().default(null),
  })
  .refine(({ answer, promote }) => answer === 'approve' || promote === null, {
    path: ['promote'],
    message: 'is allowed only with the answer approve',
  })
  .meta({
    id: 'AnswerApproval',
    allOf: [ifThenElse(isOneOf('answer', ['approve']), {}, isNull('promote'))],
  });

const pattern = line(1_000);
const RuleMatch = z
  .strictObject({
    program: pattern.optional(),
    command: pattern.optional(),
    flags: z.array(pattern).min(1).max(20).optional(),
    path: pattern.optional(),
  })
  .meta({ id: 'RuleMatch' });

const Match = z
  .object({
    program: z.string().optional(),
    command: z.string().optional(),
    flags: z.array(z.string()).optional(),
    path: z.string().optional(),
  })
  .meta({ id: 'Match' });

export const CreateRule = z
  .strictObject({
    verdict: RuleVerdict,
    /** The project it applies to; null for all. */
    project: Name.nullable().default(null),
    match: RuleMatch,
    expires: TimeInput.nullable().default(null),
    note: text(1_000).default(''),
  })
  .meta({ id: 'CreateRule' });

export const Rule = z
  .object({
    id: RuleName,
    verdict: RuleVerdict,
    project: z.string().nullable(),
    match: Match,
    expires: Time.nullable(),
    note: z.string(),
    set_at: Time,
    set_by: z.string(),
  })
  .meta({ id: 'Rule' });

export const RulesQuery = z.strictObject({ project: Name.optional() });

export const TestRules = z
  .strictObject({
    /** What to judge without running it. */
    command: command.optional(),
    project: Name.optional(),
    cwd: folder.default('/work'),
    worktree: folder.default('/work'),
    links: links.default({}),
    /** A rule that is not set: the command is judged as if it were, and the log is searched. */
    rule: CreateRule.optional(),
    since: TimeInput.optional(),
  })
  .refine(({ command: tested, rule }) => tested !== undefined || rule !== undefined, {
    path: ['command'],
    message: 'is missing: give a command, a rule, or both',
  })
  .meta({
    id: 'TestRules',
    allOf: [{ anyOf: [{ required: ['command'] }, { required: ['rule'] }] }],
  });

export const Decision = z
  .object({
    id: z.string(),
    at: Time,
    run: RunName,
    task: TaskName,
    project: z.string(),
    verdict: Verdict,
    by: Decider,
    tool: z.string(),
    command: z.string(),
    cwd: z.string(),
    rule: z.string(),
    because: z.string(),
    actor: z.string().nullable(),
    approval: ApprovalName.nullable(),
    /** Milliseconds from the request to the decision. */
    took_ms: z.number(),
  })
  .meta({ id: 'Decision' });

export const RuleTestResult = z
  .object({
    verdict: ToolCallDecision.omit({ approval: true }).nullable(),
    tree: z.array(z.string()),
    doubts: z.array(z.string()),
    /** What the rule would have matched among the logged decisions; null without a rule. */
    matched: z
      .object({ examined: z.int(), count: z.int(), decisions: z.array(Decision) })
      .nullable(),
  })
  .meta({ id: 'RuleTestResult' });

const KEY = /^[0-9a-z]{9,12}-[\w-]{1,60}$/;
export const DecisionsQuery = z.strictObject({
  project: Name.optional(),
  verdict: Verdict.optional(),
  by: Decider.optional(),
  run: RunName.optional(),
  since: TimeInput.optional(),
  until: TimeInput.optional(),
  ...page(z.string().regex(KEY, 'must be the `next` of an earlier page').optional()),
});

export type Approval = z.output<typeof Approval>;
export type Decision = z.output<typeof Decision>;
export type Rule = z.output<typeof Rule>;
export type CreateRule = z.output<typeof CreateRule>;
export type TestRules = z.output<typeof TestRules>;
export type RuleTestResult = z.output<typeof RuleTestResult>;
