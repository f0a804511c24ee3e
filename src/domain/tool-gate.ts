import { allowsTool } from './agent-tools.ts';
import type { Approval, PROMOTIONS, RequestedApproval } from './approval.ts';
import type { Board } from './board.ts';
import { type Decision, decide, type Now, refuseWith } from './decision.ts';
import { setRule } from './edit-rules.ts';
import type { HallEvent } from './event.ts';
import { approvalsOf, openApprovalsOf } from './evolve-approval.ts';
import { type ApprovalId, nameOf } from './ids.ts';
import { checkLease, type Lease } from './lease.ts';
import type { ParsedCommand } from './parsed-command.ts';
import { REGEX_MARK } from './pattern.ts';
import { personaOf } from './persona.ts';
import { REDACTED } from './redaction.ts';
import { isRefusal, refuse } from './refusal.ts';
import type { Run } from './run.ts';
import { gateModeOf } from './tool-policy/gate-mode.ts';
import { judge, type Verdict } from './tool-policy/judge-command.ts';
import type { Surroundings } from './tool-policy/paths.ts';
import { exactGlob } from './tool-policy/rule.ts';
import type { GateMode } from './tool-policy/verdict.ts';

/** How many approval requests one run may make. */
const ATTENTION_LIMITS = {
  open: 5,
  window: 10 * 60_000,
  inWindow: 10,
  refused: 5,
  total: 100,
} as const;

/** A tool call that an agent wants to make. */
export interface ToolCall {
  readonly tool: string;
  readonly command: string;
  readonly reading: ParsedCommand;
  readonly at: Surroundings;
  readonly hash: string;
  /** The redacted form, which may be stored and shown. */
  readonly shown: { readonly command: string; readonly tree: readonly string[] };
  readonly nonce: string;
}

export interface ToolAnswer extends Verdict {
  /** What decided: a rule, the answer to an earlier request, or the limit on requests. */
  readonly by: 'rule' | 'answer' | 'limit';
  readonly approval: ApprovalId | null;
}

/** Judges a tool call. A review asks a person once, and the answer covers exactly this call. */
export function requestToolCall(
  board: Board,
  lease: Lease,
  call: ToolCall,
  now: Now,
): Decision<ToolAnswer> {
  const run = checkLease(board, lease);
  if (isRefusal(run)) return refuseWith(run);
  const forbidden = personaRule(board, run, call.tool);
  if (forbidden) return decide(forbidden, []);
  const { command, reading, at } = call;
  const request = {
    command,
    reading,
    project: run.project,
    at,
    gate: gateOf(board, run),
    now: now.at,
  };
  const verdict = judge(board.rules.values(), request);
  if (verdict.verdict !== 'review') return decide({ ...verdict, by: 'rule', approval: null }, []);
  const before = approvalsOf(board, run.id);
  const same = before.filter(({ hash, usedAt }) => hash === call.hash && usedAt === null);
  const settled = settledBy(same, verdict);
  if (settled) return settled;
  const flood = floodOf(before, now);
  if (flood)
    return decide({ ...verdict, verdict: 'deny', because: flood, by: 'limit', approval: null }, []);
  const { tool, hash, nonce, shown } = call;
  const id = (board.seq + 1) as ApprovalId;
  const approval: RequestedApproval = {
    ...{ id, run: run.id, task: run.task, project: run.project, worker: run.worker },
    ...{ fence: run.fence, tool, hash, nonce, ...shown, cwd: at.cwd, worktree: at.worktree },
    ...{ because: verdict.because, rule: verdict.rule },
  };
  const events: HallEvent[] = [{ type: 'ApprovalRequested', run: run.id, approval }];
  if (run.awaitingApprovalSince === null) events.push({ type: 'RunAwaitingApproval', run: run.id });
  return decide({ ...verdict, by: 'rule', approval: id }, events);
}

/** A tool that the persona of the run may not use is refused here too, whatever the worker lets through. */
function personaRule(board: Board, run: Run, tool: string): ToolAnswer | undefined {
  const task = board.tasks.get(run.task);
  const persona = task && personaOf(board, task);
  if (!persona || allowsTool(persona.settings.allowedTools, tool)) return undefined;
  const because = `${persona.slug} may not use ${tool}: it is not in its allowed_tools`;
  return {
    verdict: 'deny',
    because,
    rule: `persona:${persona.slug}`,
    part: null,
    by: 'rule',
    approval: null,
  };
}

/** A project that is gone has no settings that could loosen the gate. */
function gateOf(board: Board, { project, worker }: Pick<Run, 'project' | 'worker'>): GateMode {
  const settings = board.projects.get(project)?.settings;
  return settings ? gateModeOf(settings, board.workers.get(worker)?.cells) : 'strict';
}

/** Reuses an earlier request for the same call, whether it is open, approved or refused. */
function settledBy(same: readonly Approval[], verdict: Verdict): Decision<ToolAnswer> | undefined {
  const open = same.find(({ answer }) => answer === null);
  if (open) return decide({ ...verdict, by: 'rule', approval: open.id }, []);
  const approved = same.find(({ answer }) => answer?.how === 'approved');
  if (approved?.answer) {
    const { id, run, task, project, answer } = approved;
    const because = `approved once by ${answer.by}`;
    return decide({ ...verdict, verdict: 'accept', because, by: 'answer', approval: id }, [
      { type: 'ApprovalUsed', run, task, project, approval: id },
    ]);
  }
  const refused = same.findLast(({ answer }) => answer !== null)?.answer;
  if (!refused) return undefined;
  const id = same.findLast(({ answer }) => answer === refused)?.id ?? null;
  const because = refusalText(refused);
  return decide({ ...verdict, verdict: 'deny', because, by: 'answer', approval: id }, []);
}

function refusalText({ how, by, because }: NonNullable<Approval['answer']>): string {
  if (how === 'expired')
    return 'denied: nobody answered in time; find another way, or ask a question';
  return because === null ? `denied by ${by}` : `denied by ${by}: ${because}`;
}

/** Answers a run that asks too often without a person: people who are asked all day end up saying yes. */
function floodOf(before: readonly Approval[], { at }: Now): string | undefined {
  const open = before.filter(({ answer }) => answer === null);
  const recent = before.filter(({ askedAt }) => at - askedAt < ATTENTION_LIMITS.window);
  const refused = before.filter(({ answer }) => answer !== null && answer.how !== 'approved');
  if (open.length >= ATTENTION_LIMITS.open)
    return `${open.length} calls of this run are already waiting for a person`;
  if (recent.length >= ATTENTION_LIMITS.inWindow)
    return `the limit of ${ATTENTION_LIMITS.inWindow} approval requests in 10 minutes is reached`;
  if (refused.length >= ATTENTION_LIMITS.refused)
    return `${refused.length} calls of this run were denied; it may not request more approvals`;
  if (before.length >= ATTENTION_LIMITS.total)
    return `the limit of ${ATTENTION_LIMITS.total} approval requests per run is reached`;
  return undefined;
}

interface ApprovalDecision {
  readonly approval: ApprovalId;
  readonly nonce: string;
  readonly how: 'approved' | 'denied';
  readonly because: string | null;
  /** Approve, and accept the same command from now on, in its project or in all projects. */
  readonly promote: (typeof PROMOTIONS)[number] | null;
}

/** Records a person's answer to a call. It counts once, and only for what the person was shown. */
export function answerApproval(
  board: Board,
  { approval: id, nonce, how, because, promote }: ApprovalDecision,
  now: Now,
): Decision<Approval> {
  const approval = board.approvals.get(id);
  const name = nameOf('approval', id);
  if (!approval)
    return refuseWith(refuse('unknown_approval', `${name} is not open: its run has ended`));
  if (approval.answer)
    return refuseWith(
      refuse('approval_answered', `${name} was ${approval.answer.how} by ${approval.answer.by}`),
    );
  if (approval.nonce !== nonce)
    return refuseWith(refuse('wrong_nonce', `the nonce does not match ${name}`));
  const answer = { how, by: now.actor, at: now.at, because };
  const events = answered(board, approval, answer);
  if (how !== 'approved' || promote === null) return decide(approval, events);
  const fault = faultInPromotion(approval.command);
  if (fault !== undefined)
    return refuseWith(refuse('not_promotable', `the command of ${name} ${fault}`));
  const rule = setRule(
    board,
    {
      scope: promote === 'global' ? null : approval.project,
      verdict: 'accept',
      match: { command: exactGlob(approval.command) },
      expires: null,
      note: because ?? `promoted from ${name}`,
    },
    now,
  );
  if (isRefusal(rule.answer)) return refuseWith(rule.answer);
  return decide(approval, [...rule.events, ...events]);
}

/** The limit for hand-written rules; longer commands are not shown in full either. */
const LONGEST_PROMOTED = 1_000;

/** Why this command cannot become a rule for exactly that command. */
function faultInPromotion(command: string): string | undefined {
  if (command.includes(REDACTED)) return 'contains a secret, which a rule would store';
  if (command.startsWith(REGEX_MARK))
    return `begins with ${REGEX_MARK}, so a rule would read it as a regular expression`;
  return command.length > LONGEST_PROMOTED
    ? `is longer than the ${LONGEST_PROMOTED} characters that a rule may have`
    : undefined;
}

function answered(
  board: Board,
  approval: Approval,
  answer: NonNullable<Approval['answer']>,
): readonly HallEvent[] {
  const { id, run, task, project } = approval;
  const events: HallEvent[] = [
    { type: 'ApprovalAnswered', run, task, project, approval: id, answer },
  ];
  const others = openApprovalsOf(board, run).filter((other) => other.id !== id);
  if (others.length === 0) events.push({ type: 'RunResumed', run });
  return events;
}

/** Denies a call that no person answered in time. */
export function expireApproval(board: Board, id: ApprovalId, now: Now): Decision<Approval> {
  const approval = board.approvals.get(id);
  const name = nameOf('approval', id);
  if (!approval) return refuseWith(refuse('unknown_approval', `${name} is not open`));
  if (approval.answer)
    return refuseWith(refuse('approval_answered', `${name} has already been answered`));
  const answer = { how: 'expired' as const, by: 'hall', at: now.at, because: null };
  return decide(approval, answered(board, approval, answer));
}
