import { exactness } from '../checks/exactness.ts';
import type { Contender } from '../contender.ts';
import type { Lab } from '../lab.ts';
import { compare, interleave, type Read } from '../measuring/rounds.ts';
import { percentile } from '../measuring/spread.ts';
import { amount } from '../report/print-row.ts';
import { atMost, type Goal } from '../report/row.ts';
import { type Cell, rowFrom, voided } from './cell.ts';
import { openOurs, openPeers } from './contenders.ts';

/** Idle workers that wait for one task at a time. */
const WORKERS = 4;

const GOALS: Readonly<Record<string, { readonly p50?: Goal; readonly p99?: Goal }>> = {
  'pg-boss': { p50: atMost(0.3) },
  'graphile-worker': { p50: atMost(0.5), p99: atMost(1) },
  'BullMQ, AOF always': { p50: atMost(0.8) },
};

export const P5: Cell = {
  title: 'pickup: from the call that posts a task until a waiting worker has it',
  minutes: ({ rounds, isQuick }) => 0.4 + rounds * (isQuick ? 0.2 : 1.1),
  async run(lab, stack) {
    const { rounds } = lab.options;
    const ours = await openOurs(lab, stack, { inFlight: 16 });
    const { peers, leftOut } = await openPeers(lab, stack, [
      'pg-boss',
      'graphile-worker',
      'bullmq always',
      'bullmq everysec',
    ]);
    const found = await interleave(
      rounds,
      [picking(lab, ours)],
      peers.map((peer) => picking(lab, peer)),
    );
    const rows = peers.flatMap((peer, p) => {
      const beside = found[0]?.[p] ?? [];
      const names = { ours: 'ours', peer: peer.name };
      const goals = GOALS[peer.name];
      return [
        rowFrom(
          { cell: 'P5', measure: 'pickup p50', unit: 'ms', goal: goals?.p50 },
          compare(beside),
          names,
        ),
        rowFrom(
          { cell: 'P5', measure: 'pickup p99', unit: 'ms', goal: goals?.p99 },
          compare(beside, ({ second }) => second ?? Number.NaN),
          names,
        ),
      ];
    });
    await ours.closed();
    const fault = await exactness(lab, ours);
    return {
      rows: voided(rows, fault.fault),
      checks: [{ cell: 'P5', what: 'exactness', ...fault }],
      leftOut,
    };
  },
};

function picking({ options, progress }: Lab, { driver, name }: Contender): Read {
  return async () => {
    const samples = options.sizes.pickups;
    const taken = await driver.pickup({ samples, workers: WORKERS });
    const [p50, p99] = [percentile(taken, 0.5), percentile(taken, 0.99)];
    progress.say(`  ${name}: p50 ${amount(p50, 'ms')}, p99 ${amount(p99, 'ms')}`);
    return { value: p50, second: p99 };
  };
}
