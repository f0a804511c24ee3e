import { exactness } from '../checks/exactness.ts';
import type { Contender } from '../contender.ts';
import type { Blocked } from '../drivers/driver.ts';
import type { Lab, Ours } from '../lab.ts';
import { alternate, compare, interleave } from '../measuring/rounds.ts';
import { atLeast, type Goal, type Row } from '../report/row.ts';
import { type Cell, type Check, rowFrom, voided } from './cell.ts';
import { cycles, openOurs, openPeers } from './contenders.ts';

const IN_FLIGHT = 16;

type Opened = Awaited<ReturnType<typeof openOurs>>;

/** What blocks the head of the queue. */
const HEADS: readonly {
  readonly blocked: Blocked;
  readonly label: string;
  readonly peers: readonly ('pg-boss' | 'graphile-worker')[];
  readonly goal: Goal | undefined;
  readonly note: string;
}[] = [
  {
    blocked: 'dependency',
    label: 'tasks that wait for an unfinished task',
    peers: ['pg-boss'],
    goal: undefined,
    note:
      'pg-boss: dependsOn of a flow; its index excludes such jobs, so they do not slow it; ' +
      'graphile-worker has no dependencies',
  },
  {
    blocked: 'capacity',
    label: 'tasks of a project at capacity',
    peers: ['pg-boss', 'graphile-worker'],
    goal: atLeast(100),
    note: 'pg-boss: groupConcurrency; graphile-worker: a named queue, which runs one job at a time',
  },
];

export const P3: Cell = {
  title: 'many waiting tasks, and a blocked head of the queue',
  minutes: ({ rounds, isQuick }) => (isQuick ? 1.5 : 8) + rounds * (isQuick ? 0.8 : 2),
  async run(lab, stack) {
    const { few, blocked } = lab.options.sizes;
    const plain = await openOurs(lab, stack, { inFlight: IN_FLIGHT });
    const many = await openMany(lab, stack);
    const behind: Opened[] = [];
    for (const head of HEADS) behind.push(await openBehind(lab, stack, head.blocked));
    const own = await readOwn(lab, { plain, many, behind });
    const headed: Row[] = [];
    const leftOut: string[] = [];
    for (const [n, head] of HEADS.entries()) {
      const ours = behind[n];
      if (!ours) continue;
      lab.progress.say(`  ${blocked.toLocaleString('en')} ${head.label}`);
      const found = await openPeers(lab, stack, head.peers);
      leftOut.push(...found.leftOut);
      for (const peer of found.peers) await fillBehind(peer, head.blocked, { blocked, few });
      headed.push(...(await readBehind(lab, { ours, peers: found.peers, head })));
    }
    const checks: Check[] = [];
    for (const ours of [plain, many, ...behind]) {
      await ours.closed();
      checks.push({ cell: 'P3', what: 'exactness', ...(await exactness(lab, ours)) });
    }
    const fault = checks.find((check) => check.fault !== undefined)?.fault;
    return { rows: voided([...own, ...headed], fault), checks, leftOut };
  },
};

async function openMany(lab: Lab, stack: AsyncDisposableStack): Promise<Opened> {
  const { many } = lab.options.sizes;
  const ours = await openOurs(lab, stack, { inFlight: IN_FLIGHT });
  lab.progress.say(`  filling a hall with ${many.toLocaleString('en')} waiting tasks`);
  await ours.driver.fill({ count: many });
  return ours;
}

async function openBehind(lab: Lab, stack: AsyncDisposableStack, blocked: Blocked) {
  const ours = await openOurs(lab, stack, { inFlight: IN_FLIGHT });
  await fillBehind(ours, blocked, lab.options.sizes);
  return ours;
}

/** The blocked tasks first, so that they are the oldest. */
async function fillBehind(
  { driver }: Contender,
  kind: Blocked,
  { blocked, few }: { readonly blocked: number; readonly few: number },
): Promise<void> {
  await driver.fill({ count: blocked, blocked: kind });
  await driver.fill({ count: few });
  await driver.tidy();
}

interface Halls {
  readonly plain: Ours;
  readonly many: Ours;
  readonly behind: readonly Ours[];
}

async function readOwn(lab: Lab, { plain, many, behind }: Halls): Promise<readonly Row[]> {
  const { sizes, rounds } = lab.options;
  const formatted = (count: number) => count.toLocaleString('en');
  const goal = atLeast(0.9);
  const halls = [
    { ours: plain, waiting: sizes.few, label: `${formatted(sizes.few)} waiting`, goal: undefined },
    {
      ours: many,
      waiting: sizes.many - sizes.few,
      label: `${formatted(sizes.many)} waiting`,
      goal,
    },
    ...HEADS.map((head, n) => ({
      ours: behind[n] ?? plain,
      waiting: sizes.few,
      label: `behind ${formatted(sizes.blocked)} ${head.label}`,
      goal,
    })),
  ];
  const compared = await alternate(
    rounds,
    halls.map(({ ours, waiting, label }) =>
      cycles(lab, ours, { inFlight: IN_FLIGHT, fused: true, waiting, label }),
    ),
  );
  return halls
    .slice(1)
    .map(({ label, goal: rowGoal }, n) =>
      rowFrom(
        { cell: 'P3', measure: `claim + complete, fused, ${label}`, unit: '/s', goal: rowGoal },
        compared[n + 1] ?? EMPTY,
        { ours: 'ours', peer: `ours with ${halls[0]?.label}` },
      ),
    );
}

const EMPTY = compare([]);

interface Race {
  readonly ours: Ours;
  readonly peers: readonly Contender[];
  readonly head: (typeof HEADS)[number];
}

async function readBehind(lab: Lab, { ours, peers, head }: Race): Promise<readonly Row[]> {
  const { rounds, sizes } = lab.options;
  const options = { inFlight: IN_FLIGHT, waiting: sizes.few, behind: head.blocked };
  const found = await interleave(
    rounds,
    [cycles(lab, ours, { ...options, fused: true })],
    peers.map((peer) => cycles(lab, peer, options)),
  );
  return peers.map((peer, p) =>
    rowFrom(
      {
        cell: 'P3',
        measure: `claim + complete behind ${sizes.blocked.toLocaleString('en')} ${head.label}`,
        unit: '/s',
        goal: head.goal,
        note: head.note,
      },
      compare(found[0]?.[p] ?? []),
      { ours: 'ours', peer: peer.name },
    ),
  );
}
