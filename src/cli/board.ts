import { visible } from '../api/escape-control-characters.ts';
import type { OperationResult } from '../api/operation.ts';
import type { Cli, CommandSpec } from './command.ts';
import { formatTime } from './format-time.ts';
import { InvalidUsage } from './invalid-usage.ts';
import type { Output } from './output.ts';
import { type ParsedInput, parseInput } from './parsed-input.ts';
import { plural } from './plural.ts';
import { WORKER_COLUMNS } from './worker/list.ts';

type Board = OperationResult<'getBoard'>;

export const BOARD: CommandSpec = {
  path: 'board',
  summary: 'show projects, workers and tasks, now or at an earlier time',
  uses: 'hall',
  options: [
    {
      flags: '--at <time>',
      about: 'time to show, such as 2026-03-01T12:00:00Z; a date alone means 00:00 UTC',
    },
  ],
  examples: [
    'guildhall board',
    'guildhall board --at 2026-03-01T12:00:00Z',
    'guildhall board --at 2026-03-01',
    'guildhall board --json',
  ],
  run: async (cli, input) => {
    const { client, out } = cli;
    const query = parseInput({ at: momentIn(input) });
    out.answer(await client().call('getBoard', { query }), (board) => boardText(board, cli));
  },
};

/** The hall refuses text that is not a time. */
function momentIn(input: ParsedInput): string | undefined {
  const typed = input.text('at');
  if (typed === undefined) return undefined;
  const at = /^\d{4}-\d{2}-\d{2}$/.test(typed) ? `${typed}T00:00:00Z` : typed;
  if (Date.parse(at) > Date.now()) {
    throw new InvalidUsage(`--at ${typed} is in the future; give a time in the past`);
  }
  return at;
}

function boardText(board: Board, { out, self }: Cli): string {
  const { totals } = board;
  const parts = [
    `${totals.open} open, ${totals.running} running, ${plural(totals.workers, 'worker')} at ${formatTime(board.at)} (event ${board.seq})`,
    ...hallText(board.hall, out),
    '',
    out.table(
      PROJECT_COLUMNS,
      board.projects,
      `no projects; add one with: ${self} project add NAME`,
    ),
  ];
  for (const { name, says, missing_isolation: lack } of board.projects) {
    if (lack !== null) parts.push(out.colours.red(`${name}: ${visible(lack)}`));
    if (says !== null) parts.push(out.colours.yellow(`${name}: ${visible(says)}`));
  }
  if (board.workers.length > 0) {
    parts.push('', out.table(WORKER_COLUMNS, board.workers, ''));
  }
  return parts.join('\n');
}

function hallText({ paused, draining }: Board['hall'], { colours }: Output): readonly string[] {
  const text = (state: string, pause: NonNullable<Board['hall']['paused']>) => {
    const because = pause.because === null ? '' : `: ${visible(pause.because)}`;
    return colours.yellow(
      `the hall has been ${state} since ${formatTime(pause.since)} (by ${visible(pause.by)})${because}`,
    );
  };
  return [
    ...(paused ? [text('paused', paused)] : []),
    ...(draining ? [text('draining', draining)] : []),
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

/** Lists only the states that some task is in. */
export function countsText(counts: Readonly<Record<string, number | undefined>>): string {
  const some = Object.entries(counts).filter(([, count]) => (count ?? 0) > 0);
  return some.map(([state, count]) => `${count} ${state}`).join(', ') || '–';
}
