import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { HallProcess } from '../support/hall-process.ts';
import {
  dismissAll,
  keepsItsWord,
  nothingPromised,
  verify,
  work,
} from '../support/kept-promises.ts';
import { sizeInTier } from '../support/tier.ts';

const KILLS = Number(process.env['GUILDHALL_KILLS'] ?? sizeInTier({ test: 6, full: 100 }));
const CLIENTS = 8;

describe('a hall that is killed', () => {
  test(`GH-043 X-019: a hall killed ${KILLS} times under load loses nothing that it acknowledged and needs no repair`, async () => {
    await using hall = await HallProcess.create({ projects: { shop: 50 } });
    const promised = nothingPromised();
    for (let kill = 0; kill < KILLS; kill += 1) {
      await hall.start();
      if (kill % 20 === 0) await keepsItsWord(hall, promised);
      await dismissAll(hall);
      const over = new AbortController();
      promised.next = Promise.withResolvers();
      const load = Promise.all(
        Array.from({ length: CLIENTS }, () => work(hall, promised, over.signal)),
      );
      // Every other hall is killed early, the others after a completion, however slow the machine is.
      const isDone = promised.next.promise.then(() => true);
      const inVain = load.then(() => false);
      if (kill % 2 === 1)
        assert.ok(await Promise.race([isDone, inVain]), `life ${kill} was in vain`);
      await sleep(randomInt(5, 120));
      await hall.stop('SIGKILL');
      over.abort();
      await load;
    }
    await hall.start();
    await keepsItsWord(hall, promised);
    const lives = Math.floor(KILLS / 2);
    assert.ok(promised.completed.size >= lives, `only ${promised.completed.size} completions`);
    verify(hall);
  });
});
