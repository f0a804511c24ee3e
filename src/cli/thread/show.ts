import { visible, visibleLines } from '../../api/escape-control-characters.ts';
import type { OperationResult } from '../../api/operation.ts';
import type { Cli, CommandSpec } from '../command.ts';
import { formatTime } from '../format-time.ts';
import { TASK_COLUMNS } from '../task/columns.ts';
import { THREAD_COLUMNS } from './columns.ts';
import { handedOver } from './handed-over.ts';

type ThreadDetail = OperationResult<'getThread'>;

export const THREAD_SHOW: CommandSpec = {
  path: 'thread show',
  summary: 'show one thread with its tasks, children and notes',
  uses: 'hall',
  arguments: [{ usage: '<thread>', about: 'the thread, such as th-11' }],
  examples: ['guildhall thread show th-11'],
  run: async (cli, input) => {
    const { client, out } = cli;
    const detail = await client().call('getThread', { path: { id: input.argument(0) } });
    out.answer(detail, (shown) => threadText(shown, cli));
  },
};

function threadText(
  { thread, tasks, children, notes }: ThreadDetail,
  { out, localized }: Cli,
): string {
  const lines = [
    `${out.colours.bold(thread.id)}  ${visible(thread.title)}`,
    `${thread.state}, opened ${formatTime(thread.opened_at)}, project ${thread.project}, size ${thread.size}`,
    ...handedOver(thread.handed_over).map(localized),
    ...(thread.blocked_by.length > 0 ? [`waits for ${thread.blocked_by.join(', ')}`] : []),
    ...(thread.progress ? [thread.progress] : []),
    ...(thread.branch ? [`branch ${visible(thread.branch)}`] : []),
    ...(thread.pr ? [`pull request ${visible(thread.pr.url)} (${thread.pr.state})`] : []),
    ...pullRequestText(thread).map(localized),
  ];
  if (tasks.length > 0) lines.push('', out.table(TASK_COLUMNS, tasks, ''));
  if (children.length > 0) lines.push('', out.table(THREAD_COLUMNS, children, ''));
  for (const { kind, by, at, text } of notes) {
    lines.push(
      '',
      out.colours.dim(`${kind} by ${visible(by)} at ${formatTime(at)}`),
      visibleLines(text),
    );
  }
  return lines.join('\n');
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
    ...(checks?.base ? baseText(checks.base, checks) : []),
    ...(verdict
      ? [`${verdict.is.replace('_', ' ')} by ${visible(verdict.by)}${about(verdict.commit)}`]
      : []),
    ...(requester ? [`merge requested by ${visible(requester)}`] : []),
    ...(waiting ? [visible(waiting)] : []),
  ];
}

type Checks = NonNullable<ThreadDetail['thread']['checks']>;

/** Which checks were red before the branch, and which of those it mended. */
function baseText(
  { branch, commit, failing }: NonNullable<Checks['base']>,
  checks: Checks,
): string[] {
  const at = `${visible(branch)} at ${commit.slice(0, 12)}`;
  const already = checks.failing.filter((name) => failing?.includes(name));
  return [
    ...(already.length > 0 ? [`red on ${at} already: ${visible(already.join(', '))}`] : []),
    ...(checks.mended.length > 0
      ? [`mended: ${visible(checks.mended.join(', '))} (red on ${at})`]
      : []),
  ];
}
