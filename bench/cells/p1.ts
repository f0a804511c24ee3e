import { durability } from '../checks/durability.ts';
import { exactness } from '../checks/exactness.ts';
import type { Contender } from '../contender.ts';
import type { Lab, Ours } from '../lab.ts';
import { alternate, compare, interleave } from '../measuring/rounds.ts';
import { atLeast, type Goal, type Row } from '../report/row.ts';
import { prepareStore } from '../store/prepare.ts';
import { type Cell, type Check, rowFrom, voided } from './cell.ts';
import { cycles, openOurs, openPeers, warmUpAll } from './contenders.ts';

const IN_FLIGHT = 16;

/** By rate, and by processor time per cycle. */
const GOALS: Readonly<
  Record<string, { readonly goal: Goal; readonly processorGoal: number } | undefined>
> = {
  'pg-boss': { goal: atLeast(5), processorGoal: 10 },
  'graphile-worker': { goal: atLeast(2.5), processorGoal: 4 },
  'BullMQ, AOF always': { goal: atLeast(1), processorGoal: 1.2 },
};

const VARIANTS = ['fused', 'two requests', 'fused, all loaded at start'];

export const P1: Cell = {
  title: 'claim and complete',
  minutes: ({ rounds, isQuick }) => (isQuick ? 2 : 7) + rounds * (isQuick ? 1.3 : 6),
  async run(lab, stack) {
    const { rounds, sizes } = lab.options;
    const { waiting } = sizes;
    const nodeArguments = profiled(lab);
    const ours = await openOurs(lab, stack, { inFlight: IN_FLIGHT, nodeArguments });
    const { peers, leftOut } = await openPeers(lab, stack, [
      'pg-boss',
      'graphile-worker',
      'bullmq always',
      'bullmq everysec',
      ['graphile-worker', { prefetch: 500 }],
    ]);
    const loaded = await openLoaded(lab, stack);
    await warmUpAll(lab, [ours, loaded, ...peers], { inFlight: IN_FLIGHT, fused: true });
    const options = { inFlight: IN_FLIGHT, waiting };
    const found = await interleave(
      rounds,
      [
        cycles(lab, ours, { ...options, fused: true, label: 'fused' }),
        cycles(lab, ours, { ...options, fused: false, label: 'two requests' }),
        cycles(lab, loaded, { ...options, waiting: 0, fused: true, label: 'loaded at start' }),
      ],
      peers.map((peer) => cycles(lab, peer, options)),
    );
    const rows = VARIANTS.flatMap((variant, v) =>
      peers.map((peer, p) => versus(lab, variant, peer, compare(found[v]?.[p] ?? []))),
    );
    const variants = await readVariants(lab, ours);
    const checks: Check[] = [];
    for (const hall of [ours, loaded]) {
      await hall.closed();
      checks.push({ cell: 'P1', what: 'exactness', ...(await exactness(lab, hall)) });
    }
    const fault = checks.find((check) => check.fault !== undefined)?.fault;
    return {
      rows: voided([...rows, ...variants], fault),
      checks: [...checks, ...(await durability(lab))],
      leftOut,
    };
  },
};

/**
 * A hall that was started with all its tasks: a claim has to look up what was done on them before. None are added, so
 * it starts with twice as many as are needed.
 */
async function openLoaded(lab: Lab, stack: AsyncDisposableStack) {
  const tasks = 2 * lab.options.sizes.waiting;
  const folder = await lab.room();
  lab.progress.say(`  generating ${tasks.toLocaleString('en')} tasks`);
  await prepareStore(folder, 'sqlite', { tasks, open: tasks, events: 2 * tasks });
  return openOurs(lab, stack, { inFlight: IN_FLIGHT, folder });
}

function profiled({ options }: Lab): readonly string[] {
  const { profile } = options;
  return profile === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
}

function versus(
  { options }: Lab,
  variant: string,
  peer: Contender,
  compared: ReturnType<typeof compare>,
): Row {
  const waiting = `${options.sizes.waiting.toLocaleString('en')} waiting`;
  return rowFrom(
    {
      cell: 'P1',
      measure: `claim + complete, ${IN_FLIGHT} in flight, ${waiting}, ${variant}`,
      unit: '/s',
      ...GOALS[peer.name],
      note: NOTES[peer.name],
    },
    compared,
    { ours: 'ours', peer: peer.name },
  );
}

const NOTES: Readonly<Record<string, string>> = {
  'BullMQ, AOF everysec':
    'acknowledges before it syncs and may lose a second of work, so there is no goal',
  'graphile-worker, 500 at a time':
    'fetches 500 jobs at once into one process and completes them in batches, so there is no goal',
};

/** The same hall with clients that are not lean, or that use more features. */
async function readVariants(lab: Lab, ours: Ours): Promise<readonly Row[]> {
  const { rounds, sizes } = lab.options;
  const options = { inFlight: IN_FLIGHT, waiting: sizes.waiting, fused: true };
  const others = [
    ours,
    await ours.also('ours, node:http client', { client: 'node' }),
    await ours.also('ours, with idempotency keys', { keyed: true }),
    await ours.also('ours, workers that bring their own model', { bringsModel: true }),
  ];
  const compared = await alternate(
    rounds,
    others.map((other) => cycles(lab, other, options)),
  );
  return compared.slice(1).map((each, n) =>
    rowFrom({ cell: 'P1', measure: 'claim + complete, fused', unit: '/s' }, each, {
      ours: others[n + 1]?.name ?? '',
      peer: 'ours, lean client',
    }),
  );
}
