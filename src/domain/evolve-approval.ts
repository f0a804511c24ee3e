import { type Approval, isOpenApproval } from './approval.ts';
import type { Board } from './board.ts';
import type { HallEvent, Recorded } from './event.ts';
import { type ApprovalId, nameOf, type RunId } from './ids.ts';
import type { Row } from './row.ts';
import type { Rule } from './tool-policy/rule.ts';

type ApprovalEvent = Extract<
  HallEvent,
  {
    type: 'RuleSet' | 'RuleRemoved' | 'ApprovalRequested' | 'ApprovalAnswered' | 'ApprovalUsed';
  }
>;

/** Applies events about tool rules and approvals. */
export function evolveApproval(
  board: Board,
  event: ApprovalEvent,
  { at }: Recorded,
): readonly Row[] {
  switch (event.type) {
    case 'RuleSet':
      board.rules.set(event.rule.id, event.rule);
      return [ruleRow(event.rule)];
    case 'RuleRemoved':
      board.rules.delete(event.rule);
      return [{ table: 'rule', key: nameOf('rule', event.rule), row: null }];
    case 'ApprovalRequested':
      return putApproval(board, { ...event.approval, askedAt: at, answer: null, usedAt: null });
    case 'ApprovalAnswered':
      return changeApproval(board, event.approval, { answer: event.answer });
    case 'ApprovalUsed':
      return changeApproval(board, event.approval, { usedAt: at });
  }
}

function ruleRow(rule: Rule): Row {
  return { table: 'rule', key: nameOf('rule', rule.id), row: rule };
}

/** Also used when the hall loads approvals, which arrive in no particular order. */
export function putApproval(board: Board, approval: Approval): readonly Row[] {
  const { id, run } = approval;
  board.approvals.set(id, approval);
  const others = board.approvalsOf.get(run) ?? [];
  if (!others.includes(id)) board.approvalsOf.set(run, [...others, id].sort(byAge));
  return [{ table: 'approval', key: nameOf('approval', id), row: approval }];
}

/** Oldest first, because the latest answer to a call counts. */
function byAge(a: ApprovalId, b: ApprovalId): number {
  return a - b;
}

function changeApproval(board: Board, id: ApprovalId, change: Partial<Approval>): readonly Row[] {
  const before = board.approvals.get(id);
  return before ? putApproval(board, { ...before, ...change }) : [];
}

/** Drops the approvals of a run that has ended. */
export function endApprovals(board: Board, run: RunId): readonly Row[] {
  const ids = board.approvalsOf.get(run) ?? [];
  board.approvalsOf.delete(run);
  return ids.map((id): Row => {
    board.approvals.delete(id);
    return { table: 'approval', key: nameOf('approval', id), row: null };
  });
}

export function approvalsOf(board: Board, run: RunId): readonly Approval[] {
  return (board.approvalsOf.get(run) ?? []).flatMap((id) => board.approvals.get(id) ?? []);
}

export function openApprovalsOf(board: Board, run: RunId): readonly Approval[] {
  return approvalsOf(board, run).filter(isOpenApproval);
}
