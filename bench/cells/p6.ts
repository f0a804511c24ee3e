import { setTimeout as pause } from 'node:timers/promises';
import { exactness } from '../checks/exactness.ts';
import { type Connection, connect } from '../drivers/connection.ts';
import { joinAll } from '../drivers/hall-worker.ts';
import type { Lab, Ours } from '../lab.ts';
import { percentile, spreadOf } from '../measuring/spread.ts';
import { amount } from '../report/print-row.ts';
import { atMost, type Row } from '../report/row.ts';
import { startHall } from '../servers/hall.ts';
import type { History } from '../sizes.ts';
import { prepareStore } from '../store/prepare.ts';
import { GENERALISTS } from '../store/workload.ts';
import { type Cell, type Check, voided } from './cell.ts';
import { openOurs } from './contenders.ts';
import { type Query, queriesOf } from './queries.ts';

/** Claims a second that go on while the queries are asked. */
const LOAD = 1_000;
const IN_FLIGHT = 16;

export const P6: Cell = {
  title: 'queries beside the work, and restarts',
  minutes: ({ isQuick, rounds }) => (isQuick ? 2 : 25) + rounds * (isQuick ? 0.2 : 1),
  async run(lab, stack) {
    const { history, smallHistory } = lab.options.sizes;
    const big = await openHistory(lab, stack, history);
    const small = await openHistory(lab, stack, smallHistory);
    const rows = await readQueries(lab, big, small);
    const checks: Check[] = [];
    for (const ours of [big, small]) {
      await ours.closed();
      checks.push({ cell: 'P6', what: 'exactness', ...(await exactness(lab, ours)) });
    }
    const restarts: Row[] = [];
    for (const open of lab.options.sizes.restarts)
      restarts.push(...(await readRestarts(lab, open)));
    const fault = checks.find((check) => check.fault !== undefined)?.fault;
    return { rows: [...voided(rows, fault), ...restarts], checks, leftOut: [] };
  },
};

async function openHistory(lab: Lab, stack: AsyncDisposableStack, history: History) {
  const folder = await lab.room();
  await fillRoom(lab, folder, history);
  return openOurs(lab, stack, { inFlight: IN_FLIGHT, folder });
}

async function fillRoom(lab: Lab, folder: string, history: History): Promise<void> {
  const { tasks, open, events } = history;
  const told = (count: number) => count.toLocaleString('en');
  lab.progress.say(
    `  writing ${told(tasks)} tasks, ${told(open)} of them open, ${told(events)} events`,
  );
  let said = performance.now();
  await prepareStore(folder, 'sqlite', history, (done) => {
    if (performance.now() - said < 30_000) return;
    said = performance.now();
    lab.progress.say(`    ${told(done)} tasks`);
  });
}

interface Asked {
  readonly query: Query;
  readonly taken: number[];
}

async function readQueries(lab: Lab, big: Ours, small: Ours): Promise<readonly Row[]> {
  const halls = await Promise.all([big, small].map((ours) => askingOf(ours)));
  const load = { inFlight: IN_FLIGHT, fused: true, perSecond: LOAD };
  const asked = new Map<string, readonly number[][]>();
  for (const { query } of halls[0]?.queries ?? []) asked.set(query.name, [[], []]);
  for (let round = 0; round < lab.options.rounds; round += 1) {
    for (const [h, { ours, queries, operator }] of halls.entries()) {
      await ours.driver.begin(load);
      await pause(lab.options.sizes.warmUp * 1000);
      for (const { query } of queries) {
        const taken = asked.get(query.name)?.[h];
        if (taken) await ask(operator, query, lab.options.sizes.queries, taken);
      }
      await ours.driver.end();
    }
    lab.progress.say(`  queries, round ${round + 1}`);
  }
  for (const { operator } of halls) operator.close();
  return [...asked].map(([name, [large = [], little = []]]) => queryRow(name, large, little));
}

async function askingOf(ours: Ours) {
  const operator = connect('lean', { url: ours.hall.url, token: ours.hall.token });
  const queries = (await queriesOf(operator)).map((query): Asked => ({ query, taken: [] }));
  return { ours, operator, queries };
}

async function ask(operator: Connection, query: Query, times: number, taken: number[]) {
  for (let n = 0; n < times; n += 1) {
    const path = query.path(taken.length);
    const from = performance.now();
    const { status, text } = await operator.ask('GET', path);
    taken.push(performance.now() - from);
    if (status >= 400 && status !== 404)
      throw new Error(`GET ${path} was answered ${status}: ${text}`);
  }
}

/** Two goals in one row: the number decides, and the note says when the ratio is missed. */
function queryRow(name: string, large: readonly number[], little: readonly number[]): Row {
  const [big, small] = [percentile(large, 0.99), percentile(little, 0.99)];
  const ratio = big / small;
  return {
    cell: 'P6',
    measure: `p99 of ${name} beside ${LOAD.toLocaleString('en')} claims/s`,
    unit: 'ms',
    ours: { name: 'ours with the long history', value: spreadOf([big]) },
    peer: { name: 'with the short one', value: spreadOf([small]) },
    ratio: spreadOf([ratio]),
    goal: atMost(50, 'ours'),
    note: ratio > RATIO_GOAL ? `the goal for the ratio is ≤ ${RATIO_GOAL}×: off` : undefined,
  };
}

const RATIO_GOAL = 1.5;

async function readRestarts(lab: Lab, open: number): Promise<readonly Row[]> {
  const folder = await lab.room();
  await fillRoom(lab, folder, { tasks: open, open, events: 2 * open });
  const asked = { folder, store: 'sqlite', slots: IN_FLIGHT };
  const goal = atMost(open > 500_000 ? 2 : 1, 'ours');
  const rows: Row[] = [];
  for (const way of ['stop', 'kill'] as const) {
    const taken: number[] = [];
    for (let round = 0; round < lab.options.rounds; round += 1) {
      const before = await startHall(asked);
      await before[way]();
      taken.push(await firstClaim(asked));
      lab.progress.say(`  first claim after ${way}: ${amount(taken.at(-1) ?? 0, 's')}`);
    }
    rows.push({
      cell: 'P6',
      measure: `start to first claim, ${open.toLocaleString('en')} open, after ${way === 'kill' ? 'SIGKILL' : 'a clean stop'}`,
      unit: 's',
      ours: { name: 'ours', value: spreadOf(taken) },
      goal,
    });
  }
  return rows;
}

/** From the start of the process until a worker holds a task, its registration included. */
async function firstClaim(asked: Parameters<typeof startHall>[0]): Promise<number> {
  const from = performance.now();
  const hall = await startHall(asked);
  const [worker] = await joinAll(hall, 1, () => GENERALISTS[0], null);
  const claimed = await worker?.claim();
  const seconds = (performance.now() - from) / 1000;
  if (!claimed) throw new Error('nothing was claimable after the start');
  await worker?.leave();
  await hall.stop();
  return seconds;
}
