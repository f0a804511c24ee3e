import { odditiesOf, shownCommand } from '../../api/shown-command.ts';
import type { Approval as ApprovalOut, Decision, Rule as RuleOut } from '../../api/tools.ts';
import type { Approval } from '../../domain/approval.ts';
import { type Duration, nameOf } from '../../domain/ids.ts';
import type { Rule } from '../../domain/tool-policy/rule.ts';
import type { ToolDecision } from '../../ports/store.ts';
import { runName, taskName, timeOf, timeOrNull, workerName } from './ids-and-times.ts';

export function ruleView({
  id,
  scope,
  verdict,
  match,
  expires,
  note,
  setAt,
  setBy,
}: Rule): RuleOut {
  const { flags, ...others } = match;
  return {
    id: nameOf('rule', id),
    verdict,
    project: scope,
    match: flags ? { ...others, flags: [...flags] } : others,
    expires: timeOrNull(expires),
    note,
    set_at: timeOf(setAt),
    set_by: setBy,
  };
}

interface Around {
  readonly title: string;
  readonly before: readonly ToolDecision[];
  readonly timeout: Duration;
  readonly mayAnswer: boolean;
}

export function approvalView(approval: Approval, around: Around): ApprovalOut {
  const { command, answer } = approval;
  return {
    id: nameOf('approval', approval.id),
    state: stateOf(approval),
    run: runName(approval.run),
    task: taskName(approval.task),
    title: around.title,
    project: approval.project,
    worker: workerName(approval.worker),
    tool: approval.tool,
    command: shownCommand(command),
    length: command.length,
    anomalies: [...odditiesOf(command)],
    tree: approval.tree.map(shownCommand),
    cwd: approval.cwd,
    worktree: approval.worktree,
    because: shownCommand(approval.because),
    rule: approval.rule,
    before: around.before.map(({ command: earlier, verdict, at }) => {
      return { command: shownCommand(earlier), verdict, at: timeOf(at) };
    }),
    requested_at: timeOf(approval.askedAt),
    expires_at: timeOf(approval.askedAt + around.timeout),
    nonce: around.mayAnswer && answer === null ? approval.nonce : null,
    answer: answer && { by: answer.by, at: timeOf(answer.at), because: answer.because },
  };
}

function stateOf({ answer, usedAt }: Approval): ApprovalOut['state'] {
  if (usedAt !== null) return 'used';
  return answer?.how ?? 'open';
}

export function decisionView(decision: ToolDecision): Decision {
  const { id, at, run, task, approval, took, command, because, ...rest } = decision;
  return {
    ...rest,
    id,
    at: timeOf(at),
    run: runName(run),
    task: taskName(task),
    command: shownCommand(command),
    because: shownCommand(because),
    approval: approval === null ? null : nameOf('approval', approval),
    took_ms: took,
  };
}
