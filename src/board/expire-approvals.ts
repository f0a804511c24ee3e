import { type Approval, isOpenApproval } from '../domain/approval.ts';
import type { Board } from '../domain/board.ts';
import { type ApprovalId, type Duration, nameOf } from '../domain/ids.ts';
import { expireApproval } from '../domain/tool-gate.ts';
import { decisionId } from '../ports/store.ts';
import { byChore } from './chore.ts';
import type { Liveness } from './liveness.ts';
import type { Writer } from './writer.ts';

interface Needs {
  readonly writer: Writer;
  readonly liveness: Liveness;
  readonly times: { readonly approval: Duration };
}

/** Denies approvals that nobody answered in time. */
export function expireApprovals({ writer, liveness, times }: Needs): Promise<unknown> {
  const overdue = liveness.overdue(openApprovals(writer.board), times.approval);
  return Promise.all(overdue.map((id) => expire(writer, id)));
}

function openApprovals({ approvals }: Board): readonly ApprovalId[] {
  return [...approvals.values()].filter(isOpenApproval).map(({ id }) => id);
}

function expire(writer: Writer, id: ApprovalId) {
  return writer.change<Approval>({
    meta: byChore('approval timeout'),
    decide: (board, now) => expireApproval(board, id, now),
    decided: (approval, { at }) => [
      {
        ...{ id: decisionId(at, `${nameOf('approval', id)}-timeout`), at, verdict: 'deny' },
        ...{ run: approval.run, task: approval.task, project: approval.project, by: 'timeout' },
        ...{ tool: approval.tool, command: approval.command, cwd: approval.cwd, actor: null },
        ...{ rule: approval.rule, because: 'no person answered in time', approval: id },
        took: at - approval.askedAt,
      },
    ],
  });
}
