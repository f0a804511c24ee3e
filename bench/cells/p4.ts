import { exactness } from '../checks/exactness.ts';
import { type Contender, used, usedSince } from '../contender.ts';
import type { EnqueueOptions } from '../drivers/driver.ts';
import type { Lab } from '../lab.ts';
import { compare, interleave, type Read } from '../measuring/rounds.ts';
import { amount } from '../report/print-row.ts';
import { atLeast, type Goal, type Row } from '../report/row.ts';
import { type Cell, rowFrom, voided } from './cell.ts';
import { openOurs, openPeers } from './contenders.ts';

/** Clients that post one at a time, and clients that post batches. */
const CLIENTS = 16;
const BATCH_CLIENTS = 4;
const BATCH = 1_000;

const GOALS: Readonly<Record<string, { readonly one: Goal; readonly batch: Goal }>> = {
  'pg-boss': { one: atLeast(10), batch: atLeast(3) },
  'graphile-worker': { one: atLeast(10), batch: atLeast(3) },
};

export const P4: Cell = {
  title: 'enqueue',
  minutes: ({ rounds, isQuick }) => 0.5 + rounds * (isQuick ? 0.8 : 3),
  async run(lab, stack) {
    const { rounds, sizes } = lab.options;
    const ours = await openOurs(lab, stack, { inFlight: CLIENTS });
    const { peers, leftOut } = await openPeers(lab, stack, [
      'pg-boss',
      'graphile-worker',
      'bullmq always',
      'bullmq everysec',
    ]);
    const one = { count: sizes.enqueueOne, clients: CLIENTS, batch: 1 };
    const batched = { count: sizes.enqueueBatched, clients: BATCH_CLIENTS, batch: BATCH };
    const rows: Row[] = [];
    for (const [options, measure] of [
      [one, `enqueue one, ${CLIENTS} clients`],
      [batched, `enqueue in batches of ${BATCH.toLocaleString('en')}, ${BATCH_CLIENTS} clients`],
    ] as const) {
      const found = await interleave(
        rounds,
        [enqueuing(lab, ours, options)],
        peers.map((peer) => enqueuing(lab, peer, options)),
      );
      const which = options.batch === 1 ? 'one' : 'batch';
      for (const [p, peer] of peers.entries()) {
        const goal = GOALS[peer.name]?.[which];
        const compared = compare(found[0]?.[p] ?? []);
        rows.push(
          rowFrom({ cell: 'P4', measure, unit: '/s', goal }, compared, {
            ours: 'ours',
            peer: peer.name,
          }),
        );
      }
    }
    await ours.closed();
    const fault = await exactness(lab, ours);
    return {
      rows: voided(rows, fault.fault),
      checks: [{ cell: 'P4', what: 'exactness', ...fault }],
      leftOut,
    };
  },
};

function enqueuing(lab: Lab, contender: Contender, options: EnqueueOptions): Read {
  return async () => {
    const { driver, name } = contender;
    const waiting = await driver.waiting();
    const cpuFrom = used(contender);
    const { count, milliseconds } = await driver.enqueue(options);
    const cpu = usedSince(contender, cpuFrom);
    const added = (await driver.waiting()) - waiting;
    const value = (count * 1000) / milliseconds;
    lab.progress.say(`  ${name}, ${options.batch} at a time: ${amount(value, '/s')}`);
    return {
      value,
      cost: { client: (cpu.client * 1e6) / count, server: (cpu.server * 1e6) / count },
      void: added === count ? undefined : `${count} tasks were enqueued, but ${added} were added`,
    };
  };
}
