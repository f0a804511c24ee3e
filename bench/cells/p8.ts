import { exactness } from '../checks/exactness.ts';
import { takeover } from '../checks/takeover.ts';
import type { Lab } from '../lab.ts';
import { compare, interleave } from '../measuring/rounds.ts';
import { spreadOf } from '../measuring/spread.ts';
import { atLeast, atMost, type Row } from '../report/row.ts';
import { type Cell, type Check, rowFrom, voided } from './cell.ts';
import { cycles, openOurs, openPeers, warmUpAll } from './contenders.ts';

const IN_FLIGHT = 16;

export const P8: Cell = {
  title: 'PostgreSQL store, and takeover from a killed leader',
  minutes: ({ rounds, isQuick }) => (isQuick ? 1 : 3) + rounds * (isQuick ? 0.5 : 1.2),
  async run(lab, stack) {
    const { postgres } = lab;
    if ('missing' in postgres) return { rows: [], checks: [], leftOut: [postgres.missing] };
    const { rows, checks, leftOut } = await readRates(lab, stack, (await postgres.database()).url);
    const taken: number[] = [];
    for (let round = 0; round < lab.options.rounds; round += 1) {
      const { seconds, ...check } = await takeover(lab, (await postgres.database()).url);
      taken.push(seconds);
      checks.push({ cell: 'P8', what: 'a killed leader loses no acknowledged work', ...check });
    }
    return { rows: [...rows, takeoverRow(taken, checks)], checks, leftOut };
  },
};

async function readRates(lab: Lab, stack: AsyncDisposableStack, store: string) {
  const { rounds, sizes } = lab.options;
  const ours = await openOurs(lab, stack, { inFlight: IN_FLIGHT, store });
  const { peers, leftOut } = await openPeers(lab, stack, ['pg-boss', 'graphile-worker']);
  await warmUpAll(lab, [ours, ...peers], { inFlight: IN_FLIGHT, fused: true });
  const options = { inFlight: IN_FLIGHT, waiting: sizes.waiting };
  const found = await interleave(
    rounds,
    [
      cycles(lab, ours, { ...options, fused: true, label: 'fused' }),
      cycles(lab, ours, { ...options, fused: false, label: 'two requests' }),
    ],
    peers.map((peer) => cycles(lab, peer, options)),
  );
  await ours.closed();
  const fault = await exactness(lab, ours);
  const rows = ['fused', 'two requests'].flatMap((variant, v) =>
    peers.map((peer, p) =>
      rowFrom(
        {
          cell: 'P8',
          measure: `claim + complete on PostgreSQL, ${IN_FLIGHT} in flight, ${variant}`,
          unit: '/s',
          ...(peer.name === 'pg-boss' && { goal: atLeast(3), processorGoal: 5 }),
        },
        compare(found[v]?.[p] ?? []),
        { ours: 'ours', peer: peer.name },
      ),
    ),
  );
  const checks: Check[] = [{ cell: 'P8', what: 'exactness', ...fault }];
  return { rows: voided(rows, fault.fault), checks, leftOut };
}

function takeoverRow(taken: readonly number[], checks: readonly Check[]): Row {
  return {
    cell: 'P8',
    measure: 'three nodes, leader killed: longest time without an answered claim',
    unit: 's',
    ours: { name: 'ours', value: spreadOf(taken) },
    goal: atMost(5, 'ours'),
    void: checks.find(({ fault }) => fault !== undefined)?.fault,
  };
}
