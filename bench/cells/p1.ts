import { durability } from '../checks/durability.ts';
import { exactness } from '../checks/exactness.ts';
import type { Contender } from '../contender.ts';
import type { Lab, Ours } from '../lab.ts';
import { alternate, compare, interleave } from '../measuring/rounds.ts';
import { atLeast, type Goal, type Row } from '../report/row.ts';
import { type Cell, rowFrom, voided } from './cell.ts';
import { cycles, openOurs, openPeers } from './contenders.ts';

const IN_FLIGHT = 16;

const GOALS: Readonly<Record<string, Goal>> = {
  'pg-boss': atLeast(10),
  'graphile-worker': atLeast(4),
  'BullMQ, AOF always': atLeast(1.5),
};

export const P1: Cell = {
  title: 'claim and complete',
  minutes: ({ rounds, isQuick }) => (isQuick ? 1.5 : 4) + rounds * (isQuick ? 1 : 4.5),
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
    const options = { inFlight: IN_FLIGHT, waiting };
    const found = await interleave(
      rounds,
      [
        cycles(lab, ours, { ...options, fused: true, label: 'fused' }),
        cycles(lab, ours, { ...options, fused: false, label: 'two requests' }),
      ],
      peers.map((peer) => cycles(lab, peer, options)),
    );
    const rows = ['fused', 'two requests'].flatMap((variant, v) =>
      peers.map((peer, p) => versus(lab, variant, peer, compare(found[v]?.[p] ?? []))),
    );
    const variants = await readVariants(lab, ours);
    await ours.closed();
    const fault = await exactness(lab, ours);
    const checks = await durability(lab);
    return {
      rows: voided([...rows, ...variants], fault.fault),
      checks: [{ cell: 'P1', what: 'exactness', ...fault }, ...checks],
      leftOut,
    };
  },
};

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
      goal: GOALS[peer.name],
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
