import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../test/support/hall-fixture.ts';
import { HallProcess } from '../../test/support/hall-process.ts';
import { keepsItsWord, nothingPromised, verify, work } from '../../test/support/kept-promises.ts';
import { createDatabase, startPostgres } from '../../test/support/postgres.ts';
import type { Part } from './part.ts';

const CLIENTS = 16;
const MODES = ['immediate', 'fast', 'crash'] as const;

/** One hall on a PostgreSQL that is restarted every 3 to 10 seconds: it never exits and loses nothing. */
export const restarts: Part = async ({ restartMinutes }, say) => {
  const server = await startPostgres();
  if ('missing' in server) return { skipped: server.missing };
  const database = await createDatabase(server.url);
  try {
    await using hall = await HallProcess.start({ projects: { shop: 50 }, store: database.url });
    const { pid } = hall;
    const promised = nothingPromised();
    const over = new AbortController();
    const clients = Array.from({ length: CLIENTS }, () => work(hall, promised, over.signal));
    const end = performance.now() + restartMinutes * 60_000;
    let count = 0;
    while (performance.now() < end) {
      await sleep(randomInt(3_000, 10_000));
      await server.restart(MODES[count % MODES.length] ?? 'fast');
      count += 1;
      say(`restarts: ${count}, ${promised.completed.size} tasks`);
    }
    over.abort();
    await Promise.all(clients);
    process.kill(pid, 0);
    await until('it is ready', async () => (await hall.caller().get('/readyz')).status === 200);
    await keepsItsWord(hall, promised);
    await hall.stop();
    verify(hall);
    return { restarts: count, tasks: promised.completed.size, 'exits of the hall': 0, lost: 0 };
  } finally {
    await server.stop();
  }
};
