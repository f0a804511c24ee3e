import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { HallProcess } from '../../test/support/hall-process.ts';
import {
  dismissAll,
  keepsItsWord,
  nothingPromised,
  verify,
  work,
} from '../../test/support/kept-promises.ts';
import type { Part } from './part.ts';

const CLIENTS = 8;
const CHECK_EVERY = 50;

/** A hall on SQLite that is killed under load and started again. */
export const kills: Part = async ({ kills: most }, say) => {
  await using hall = await HallProcess.create({ projects: { shop: 50 } });
  const promised = nothingPromised();
  for (let count = 1; count <= most; count += 1) {
    await hall.start();
    await dismissAll(hall);
    const over = new AbortController();
    const clients = Array.from({ length: CLIENTS }, () => work(hall, promised, over.signal));
    // Every other hall is killed early, the others after a completion, however slow the machine is.
    promised.next = Promise.withResolvers();
    if (count % 2 === 0) await promised.next.promise;
    await sleep(randomInt(5, 120));
    await hall.stop('SIGKILL');
    over.abort();
    await Promise.all(clients);
    if (count % CHECK_EVERY !== 0) continue;
    await hall.start();
    await keepsItsWord(hall, promised);
    await hall.stop('SIGKILL');
    say(`kills: ${count}, ${promised.completed.size} tasks`);
  }
  await hall.start();
  await keepsItsWord(hall, promised);
  await hall.stop();
  verify(hall);
  return { kills: most, tasks: promised.completed.size, lost: 0 };
};
