import { shownCommand } from '../api/shown-command.ts';
import type { Approval as ApprovalOut } from '../api/tools.ts';
import type { Hall } from '../board/hall.ts';
import type { Approval } from '../domain/approval.ts';
import { approvalView } from './views/tool.ts';

const LAST_COMMANDS = 5;

/** An approval with the context a person needs to answer it. */
export async function approvalDetail(
  { store, times }: Hall,
  approval: Approval,
  { mayAnswer }: { readonly mayAnswer: boolean },
): Promise<ApprovalOut> {
  const { run, task, askedAt } = approval;
  const until = askedAt + 1;
  const [texts, { rows }] = await Promise.all([
    store.textsOf([task]),
    store.decisions({ run, until, limit: LAST_COMMANDS + 1 }),
  ]);
  const earlier = rows.filter((row) => row.approval !== approval.id).slice(0, LAST_COMMANDS);
  return approvalView(approval, {
    title: shownCommand(texts.get(task)?.title ?? ''),
    before: earlier,
    timeout: times.approval,
    mayAnswer,
  });
}
