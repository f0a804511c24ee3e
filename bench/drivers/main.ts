import { openBullmq } from './bullmq.ts';
import type { Driver, DriverKind, OpenDriver, Place } from './driver.ts';
import { openGraphile } from './graphile-worker.ts';
import { openHallDriver } from './hall.ts';
import { openPgBoss } from './pg-boss.ts';
import type { Answer, Call } from './remote.ts';

const OPEN: Readonly<Record<DriverKind, OpenDriver>> = {
  hall: openHallDriver,
  'pg-boss': openPgBoss,
  'graphile-worker': openGraphile,
  bullmq: openBullmq,
};

const [kind, place] = process.argv.slice(2);
const driver = await OPEN[kind as DriverKind](JSON.parse(place ?? '{}') as Place);

process.on('message', (call: Call) => {
  void answer(driver, call).then((answered) => process.send?.(answered));
});
process.on('disconnect', () => process.exit());
process.send?.({ id: 0, result: null } satisfies Answer);

async function answer(to: Driver, { id, name, ask }: Call): Promise<Answer> {
  try {
    const act = to[name] as (this: Driver, ask: unknown) => Promise<unknown>;
    return { id, result: (await act.call(to, ask)) ?? null };
  } catch (fault) {
    return { id, fault: fault instanceof Error ? (fault.stack ?? fault.message) : String(fault) };
  }
}
