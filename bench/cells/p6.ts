import { setTimeout as pause } from 'node:timers/promises';
import { exactness } from '../checks/exactness.ts';
import { type Connection, connect } from '../drivers/connection.ts';
import { joinAll } from '../drivers/hall-worker.ts';
import { Loops } from '../drivers/tally.ts';
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

/** Claims per second during the queries. */
const LOAD = 1_000;
const IN_FLIGHT = 16;

export const P6: Cell = {
  title: 'queries under load, and restarts',
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
  const formatted = (count: number) => count.toLocaleString('en');
  lab.progress.say(
    `  writing ${formatted(tasks)} tasks, ${formatted(open)} of them open, ${formatted(events)} events`,
  );
  let reportedAt = performance.now();
  await prepareStore(folder, 'sqlite', history, (done) => {
    if (performance.now() - reportedAt < 30_000) return;
    reportedAt = performance.now();
    lab.progress.say(`    ${formatted(done)} tasks`);
  });
}

interface Asking {
  readonly ours: Ours;
  readonly operator: Connection;
  readonly queries: readonly Query[];
  /** Milliseconds of each query, by its name. */
  readonly taken: Map<string, number[]>;
}

async function readQueries(lab: Lab, big: Ours, small: Ours): Promise<readonly Row[]> {
  const halls = [await askingOf(big), await askingOf(small)];
  for (let round = 0; round < lab.options.rounds; round += 1) {
    for (const hall of halls) await askAll(lab, hall);
  }
  for (const { operator } of halls) operator.close();
  const [large, little] = halls;
  const rows = (large?.queries ?? []).map(({ name }) =>
    queryRow(name, large?.taken.get(name) ?? [], little?.taken.get(name) ?? []),
  );
  return [...rows, worstRatio(rows)];
}

async function askingOf(ours: Ours): Promise<Asking> {
  const operator = connect('lean', { url: ours.hall.url, token: ours.hall.token });
  const queries = await queriesOf(operator);
  return { ours, operator, queries, taken: new Map(queries.map(({ name }) => [name, []])) };
}

/** Posts as many tasks as are claimed, so that the work never runs out during the queries. */
async function askAll(lab: Lab, { ours, operator, queries, taken }: Asking): Promise<void> {
  const { sizes } = lab.options;
  await ours.driver.begin({ inFlight: IN_FLIGHT, fused: true, perSecond: LOAD });
  const supply = new Loops(1, async () => {
    await ours.driver.fill({ count: LOAD / 10 });
    await pause(100);
  });
  await pause(sizes.warmUp * 1000);
  try {
    for (const query of queries)
      await measureQuery(
        operator,
        query,
        query.isSlow ? 1 : sizes.queries,
        taken.get(query.name) ?? [],
      );
  } finally {
    await supply.end();
  }
  const { done } = await ours.driver.end();
  if (done === 0) throw new Error('no task was claimed during the queries');
  lab.progress.say(`  ${queries.length} queries made during ${done.toLocaleString('en')} cycles`);
}

async function measureQuery(operator: Connection, query: Query, times: number, taken: number[]) {
  for (let n = 0; n < times; n += 1) {
    const path = query.path(taken.length);
    const from = performance.now();
    const { status, text } = await operator.ask('GET', path);
    taken.push(performance.now() - from);
    if (!ANSWERS.includes(status)) throw new Error(`GET ${path} returned ${status}: ${text}`);
  }
}

/** Unknown and ended objects are valid results too. */
const ANSWERS = [200, 404, 409];

function queryRow(name: string, large: readonly number[], little: readonly number[]): Row {
  const [big, small] = [percentile(large, 0.99), percentile(little, 0.99)];
  return {
    cell: 'P6',
    measure: `p99 of ${name} during ${LOAD.toLocaleString('en')} claims/s`,
    unit: 'ms',
    ours: { name: 'ours with the long history', value: spreadOf([big]) },
    peer: { name: 'ours with the short history', value: spreadOf([small]) },
    ratio: spreadOf([big / small]),
    goal: atMost(50, 'ours'),
  };
}

/** Every query has a goal for its ratio too; the worst one stands for all. */
function worstRatio(rows: readonly Row[]): Row {
  const [worst] = rows.toSorted((a, b) => (b.ratio?.median ?? 0) - (a.ratio?.median ?? 0));
  const missed = rows.filter(({ ratio }) => (ratio?.median ?? 0) > RATIO_GOAL);
  return {
    cell: 'P6',
    measure: 'the query that a long history slows down most',
    unit: 'ms',
    ours: worst?.ours ?? { name: 'ours', value: spreadOf([]) },
    peer: worst?.peer,
    ratio: worst?.ratio,
    goal: atMost(RATIO_GOAL),
    note: `${worst?.measure}; ${missed.length} of ${rows.length} queries are above the goal`,
  };
}

const RATIO_GOAL = 1.5;

async function readRestarts(lab: Lab, open: number): Promise<readonly Row[]> {
  const folder = await lab.room();
  await fillRoom(lab, folder, { tasks: open, open, events: 2 * open });
  const options = { folder, store: 'sqlite', slots: IN_FLIGHT };
  const goal = atMost(open > 500_000 ? 2 : 1, 'ours');
  const rows: Row[] = [];
  for (const way of ['stop', 'kill'] as const) {
    const taken: number[] = [];
    for (let round = 0; round < lab.options.rounds; round += 1) {
      const before = await startHall(options);
      await before[way]();
      taken.push(await firstClaim(options));
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
async function firstClaim(options: Parameters<typeof startHall>[0]): Promise<number> {
  const from = performance.now();
  const hall = await startHall(options);
  await using stack = new AsyncDisposableStack();
  stack.defer(() => hall.stop());
  const [worker] = await joinAll(hall, 1, () => GENERALISTS[0], null);
  const claimed = await worker?.claim();
  const seconds = (performance.now() - from) / 1000;
  if (!claimed) throw new Error('no task was claimable after the start');
  await worker?.leave();
  return seconds;
}
