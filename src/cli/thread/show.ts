import { visible, visibleLines } from '../../api/escape-control-characters.ts';
import type { OperationResult } from '../../api/operation.ts';
import type { Cli, CommandSpec } from '../command.ts';
import { formatTime } from '../format-time.ts';
import { plural } from '../plural.ts';
import { TASK_COLUMNS } from '../task/columns.ts';
import { THREAD_COLUMNS } from './columns.ts';
import { comparedWithBase } from './compared-with-base.ts';
import { handedOver } from './handed-over.ts';

type ThreadDetail = OperationResult<'getThread'>;

export const THREAD_SHOW: CommandSpec = {
  summary: 'show one thread with its tasks, children and notes',
  arguments: [{ usage: '<thread>', about: 'the thread, such as th-11' }],
  options: [{ flags: '--all-checks', about: 'show the output of earlier checks too' }],
  examples: ['guildhall thread show th-11', 'guildhall thread show th-11 --all-checks'],
  run: async (cli, input) => {
    const { client, out } = cli;
    const detail = await client().call('getThread', { path: { id: input.argument(0) } });
    out.answer(detail, (shown) => threadText(shown, cli, input.flag('allChecks')));
  },
};

function threadText(detail: ThreadDetail, cli: Cli, showsAll: boolean): string {
  const { thread, tasks, children } = detail;
  const { out, localized } = cli;
  const lines = [
    `${out.colours.bold(thread.id)}  ${visible(thread.title)}`,
    `${thread.state}, opened ${formatTime(thread.opened_at)}, project ${thread.project}, size ${thread.size}`,
    ...handedOver(thread.handed_over).map(localized),
    ...(thread.blocked_by.length > 0 ? [`waits for ${thread.blocked_by.join(', ')}`] : []),
    ...(thread.progress ? [thread.progress] : []),
    ...(thread.branch ? [`branch ${visible(thread.branch)}`] : []),
    ...(thread.pr ? [`pull request ${visible(thread.pr.url)} (${mergeState(thread)})`] : []),
    ...pullRequestText(thread).map(localized),
  ];
  if (tasks.length > 0) lines.push('', out.table(TASK_COLUMNS, tasks, ''));
  if (children.length > 0) lines.push('', out.table(THREAD_COLUMNS, children, ''));
  const { notes, hidden } = showsAll ? { notes: detail.notes, hidden: 0 } : newestChecks(detail);
  for (const { kind, by, at, text } of notes) {
    lines.push(
      '',
      out.colours.dim(`${kind} by ${visible(by)} at ${formatTime(at)}`),
      visibleLines(text),
    );
  }
  if (hidden > 0) {
    const way = cli.command('thread show', thread.id, '--all-checks');
    lines.push('', out.colours.dim(`output of ${plural(hidden, 'earlier check run')}: ${way}`));
  }
  return lines.join('\n');
}

/** Only the newest output of checks is about the current commit. */
export function newestChecks<N extends { readonly kind: string }>({
  notes,
}: {
  readonly notes: readonly N[];
}): { readonly notes: readonly N[]; readonly hidden: number } {
  const newest = notes.findLast(({ kind }) => kind === 'checks');
  const shown = notes.filter((note) => note.kind !== 'checks' || note === newest);
  return { notes: shown, hidden: notes.length - shown.length };
}

function mergeState({ pr, merge_forced }: ThreadDetail['thread']): string {
  if (merge_forced) return 'merged without approval, by merge_policy force-at-max-rounds';
  return pr?.state ?? '';
}

/** The commit, checks, review and merge request of its pull request. */
function pullRequestText(thread: ThreadDetail['thread']): string[] {
  const {
    head,
    checks,
    verdict,
    merge_requested_by: requester,
    merge_waiting_for: waiting,
  } = thread;
  const about = (commit: string) => (commit === head ? '' : ' (for an older commit)');
  const failing = checks?.failing.length ? `: ${visible(checks.failing.join(', '))}` : '';
  return [
    ...(head ? [`commit ${head.slice(0, 12)}`] : []),
    ...(checks ? [`checks ${checks.is}${failing}${about(checks.commit)}`] : []),
    ...(checks ? comparedWithBase(checks) : []),
    ...(verdict
      ? [`${verdict.is.replace('_', ' ')} by ${visible(verdict.by)}${about(verdict.commit)}`]
      : []),
    ...(requester ? [`merge requested by ${visible(requester)}`] : []),
    ...(waiting ? [visible(waiting)] : []),
  ];
}
