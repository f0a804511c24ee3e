import type { ManyThreads } from '../../test/support/many-threads.ts';
import { manyThreads } from '../../test/support/many-threads.ts';
import { spreadOf } from '../measuring/spread.ts';
import { amount } from '../report/print-row.ts';
import { atMost } from '../report/row.ts';
import type { Cell, Check } from './cell.ts';

const THREADS = 1_000;
const HEADS = 50;
/** Each change is looked at twice, and each list of checks is read once before it is known. */
const WARM_UP = 5;
const READS = 50;

export const P17: Cell = {
  title: 'a sweep of 1,000 open threads on a forge',
  minutes: ({ rounds }) => 2 + rounds * 0.2,
  async run(lab, stack) {
    const many = stack.use(await manyThreads({ threads: THREADS, heads: HEADS }));
    for (let n = 0; n < WARM_UP; n += 1) await many.sweep();
    const quiet: number[] = [];
    const swept: number[] = [];
    const calls: number[] = [];
    for (let round = 0; round < lab.options.rounds; round += 1) {
      quiet.push(spreadOf(await boardTimes(many, () => Promise.resolve([]))).median);
      const during = await boardTimes(many, async () => {
        const made = await many.sweep();
        calls.push(made.length);
        return made;
      });
      swept.push(spreadOf(during).median);
    }
    lab.progress.say(`  calls of a quiet sweep: ${Math.max(...calls)}`);
    lab.progress.say(`  board during sweeps: ${amount(spreadOf(swept).median, 'ms')}`);
    return {
      rows: [
        {
          ...{ cell: 'P17', measure: 'GET /v1/board while sweeps run', unit: 'ms' },
          ours: { name: 'sweeping', value: spreadOf(swept) },
          peer: { name: 'quiet', value: spreadOf(quiet) },
          ratio: spreadOf(swept.map((value, at) => value / (quiet[at] ?? Number.NaN))),
          goal: atMost(3),
          note: 'the emulated forge runs in the same process, so its own work counts too',
        },
      ],
      checks: [callsCheck(Math.max(...calls))],
      leftOut: [],
    };
  },
};

function callsCheck(calls: number): Check {
  const most = 5 + HEADS;
  const fault = calls <= most ? undefined : `${calls} calls, at most ${most} are allowed`;
  const what =
    'a sweep in which nothing changed costs at most 5 calls, and 1 for each waiting head';
  return {
    cell: 'P17',
    what,
    fault,
    seen: `${calls} calls for ${THREADS} threads, ${HEADS} heads`,
  };
}

/** Reads the board while something goes on; milliseconds of each read. */
async function boardTimes({ hall }: ManyThreads, act: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  let isOver = false;
  const acting = (async () => {
    while (!isOver) {
      await act();
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  for (let n = 0; n < READS; n += 1) {
    const begun = performance.now();
    await hall.caller.get('/v1/board');
    times.push(performance.now() - begun);
  }
  isOver = true;
  await acting;
  return times;
}
