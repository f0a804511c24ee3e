import { setTimeout as delay } from 'node:timers/promises';
import { boardText } from './board-text.ts';
import type { Cli, CommandSpec } from './command.ts';
import { InvalidUsage } from './invalid-usage.ts';
import { type ParsedInput, parseInput } from './parsed-input.ts';
import { stopSignal } from './stop-signal.ts';

export const BOARD: CommandSpec = {
  summary: 'show what needs a person, then tasks, projects and workers, now or at an earlier time',
  options: [
    {
      flags: '--at <time>',
      about: 'time to show, such as 2026-03-01T12:00:00Z; a date alone means 00:00 UTC',
    },
    { flags: '-w, --watch', about: 'show it again whenever it changes, until interrupted' },
  ],
  examples: [
    'guildhall board',
    'guildhall board --watch',
    'guildhall board --at 2026-03-01T12:00:00Z',
    'guildhall board --at 2026-03-01',
    'guildhall board --json',
  ],
  run: async (cli, input) => {
    const { client, out } = cli;
    if (input.flag('watch')) return watch(cli, input);
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

const LOOK_EVERY_MS = 2_000;
const CLEAR_SCREEN = '\u001b[H\u001b[2J';

/** On a terminal the board is drawn again in place; elsewhere it is printed again once it has changed. */
async function watch(cli: Cli, input: ParsedInput): Promise<void> {
  if (input.text('at') !== undefined) {
    throw new InvalidUsage('--watch shows the present and --at a past time; give one of them');
  }
  const { client, out, signals } = cli;
  const { isTerminal } = out;
  const signal = stopSignal(signals);
  let shown = -1;
  try {
    for (;;) {
      const board = await client().call('getBoard', { signal });
      if (isTerminal || board.seq !== shown) {
        out.next(board, () => `${isTerminal ? CLEAR_SCREEN : ''}${boardText(board, cli)}`);
      }
      shown = board.seq;
      await delay(LOOK_EVERY_MS, undefined, { signal });
    }
  } catch (fault) {
    if (!signal.aborted) throw fault;
  }
}
