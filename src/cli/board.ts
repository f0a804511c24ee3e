import type { Answered } from '../api/operation.ts';
import type { CommandSpec } from './command.ts';
import { given } from './given.ts';
import type { Output } from './output.ts';
import { visible } from './visible.ts';
import { when } from './when.ts';
import { WORKER_COLUMNS } from './worker/list.ts';

type Board = Answered<'getBoard'>;

export const BOARD: CommandSpec = {
  path: 'board',
  summary: 'projects, workers and tasks at a glance, now or at any time before',
  asks: 'hall',
  options: [{ flags: '--at <time>', about: 'as it was then, such as 2026-03-01T12:00:00Z' }],
  examples: [
    'guildhall board',
    'guildhall board --at 2026-03-01T12:00:00Z',
    'guildhall board --json',
  ],
  run: async ({ client, out }, input) => {
    const query = given({ at: input.text('at') });
    out.answer(await client().call('getBoard', { query }), (board) => boardText(board, out));
  },
};

function boardText(board: Board, out: Output): string {
  const { totals } = board;
  const parts = [
    `${totals.open} open, ${totals.running} running, ${totals.workers} workers at ${when(board.at)} (event ${board.seq})`,
    ...hallText(board.hall, out),
    '',
    out.table(PROJECT_COLUMNS, board.projects, 'no projects; add one with "guildhall project add"'),
  ];
  if (board.workers.length > 0) {
    parts.push('', out.table(WORKER_COLUMNS, board.workers, ''));
  }
  return parts.join('\n');
}

function hallText({ paused, draining }: Board['hall'], { colours }: Output): readonly string[] {
  const says = (what: string, pause: NonNullable<Board['hall']['paused']>) => {
    const because = pause.because === null ? '' : `: ${visible(pause.because)}`;
    return colours.yellow(
      `the hall is ${what} by ${visible(pause.by)} since ${when(pause.since)}${because}`,
    );
  };
  return [
    ...(paused ? [says('paused', paused)] : []),
    ...(draining ? [says('drained', draining)] : []),
  ];
}

const PROJECT_COLUMNS = [
  { head: 'PROJECT', cell: ({ name }: Board['projects'][number]) => name },
  {
    head: 'RUNNING',
    cell: ({ running, max_workers }: Board['projects'][number]) => `${running}/${max_workers}`,
    align: 'right',
  },
  { head: 'OPEN', cell: ({ open }: Board['projects'][number]) => open, align: 'right' },
  { head: 'TASKS', cell: ({ counts }: Board['projects'][number]) => countsText(counts) },
  {
    head: 'PAUSED',
    cell: ({ paused }: Board['projects'][number]) => (paused ? (paused.because ?? 'yes') : ''),
  },
] as const;

/** Only states that some task is in. */
export function countsText(counts: Readonly<Record<string, number | undefined>>): string {
  const some = Object.entries(counts).filter(([, count]) => (count ?? 0) > 0);
  return some.map(([state, count]) => `${count} ${state}`).join(', ') || '–';
}
