import { setTimeout as sleep } from 'node:timers/promises';
import { HallFixture } from './hall-fixture.ts';

/**
 * A worker in its own process: it registers, claims, starts, and then only sends heartbeats, until it is killed
 * or the hall no longer knows it.
 *
 *   node acceptance-worker.ts <url> <token> <project> <milliseconds between heartbeats>
 */
const [url = '', token = '', project = '', pause = ''] = process.argv.slice(2);

using fixture = new HallFixture({ url, token });
const worker = await fixture.worker({ projects: [project] });
const claim = await worker.claimed();
await worker.mustCall('start', claim);
await worker.mustCall('note', claim, { text: 'half done' });
await worker.mustCall('log', claim, { entries: ['$ npm test'] });
print(`holds ${worker.id} ${claim.run}`);
for (;;) {
  const answer = await worker.heartbeat().catch(() => undefined);
  print(`was told ${answer?.body.orders ?? answer?.status ?? 'nothing'}`);
  if (answer?.status !== 200) break;
  await sleep(Number(pause));
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
