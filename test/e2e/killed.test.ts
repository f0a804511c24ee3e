import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Caller } from '../support/caller.ts';
import { HallProcess } from '../support/hall-process.ts';
import { audit, wholeLog } from '../support/history-check.ts';
import { sizeInTier } from '../support/tier.ts';

const KILLS = Number(process.env['GUILDHALL_KILLS'] ?? sizeInTier({ test: 6, full: 200 }));
const CLIENTS = 8;
const BIN = fileURLToPath(new URL('../../bin/guildhall.js', import.meta.url));

/** What the hall acknowledged and so must never lose. */
interface Promised {
  readonly posted: Set<string>;
  readonly completed: Set<string>;
  /** The posted task of each answered request, by idempotency key. */
  readonly keys: Map<string, string>;
  /** The next completion. */
  next: PromiseWithResolvers<void>;
}

describe('a hall that is killed', () => {
  test(`GH-043 X-019: a hall killed ${KILLS} times under load loses nothing that it acknowledged and needs no repair`, async () => {
    await using hall = await HallProcess.create({ projects: { shop: 50 } });
    const promised: Promised = {
      posted: new Set(),
      completed: new Set(),
      keys: new Map(),
      next: Promise.withResolvers(),
    };
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

/** The clients of the killed hall are gone but would keep their slots for a lease of six minutes. */
async function dismissAll(hall: HallProcess): Promise<void> {
  const caller = hall.caller();
  const { body } = await caller.get('/v1/workers');
  for (const { id } of body.workers) await caller.call('DELETE', `/v1/workers/${id}`);
  caller.close();
}

async function work(hall: HallProcess, promised: Promised, over: AbortSignal): Promise<void> {
  const caller = hall.caller();
  const registered = await caller
    .post('/v1/workers', { instance: 'dev-default', brings_model: true })
    .catch(() => undefined);
  const mine = registered?.status === 201 ? new Caller(hall.url, registered.body.token) : undefined;
  while (!over.aborted) {
    const key = randomUUID();
    const posted = await caller
      .post('/v1/tasks', { project: 'shop', title: key }, { key })
      .catch(() => undefined);
    if (posted?.status === 201) {
      promised.posted.add(posted.body.tasks[0].id);
      promised.keys.set(key, posted.body.tasks[0].id);
    }
    if (!posted || !mine || !registered) break;
    const claimed = await mine
      .post('/v1/claims', { worker: registered.body.id })
      .catch(() => undefined);
    if (claimed?.status !== 200) continue;
    const { run, fence, task } = claimed.body;
    const said = { fence, outcome: 'completed', summary: 'done' };
    const reported = await mine.post(`/v1/runs/${run}/report`, said).catch(() => undefined);
    if (reported?.status !== 200) continue;
    promised.completed.add(task.id);
    promised.next.resolve();
  }
  caller.close();
  mine?.close();
}

async function keepsItsWord(hall: HallProcess, promised: Promised): Promise<void> {
  const caller = hall.caller();
  const found = audit(await wholeLog(caller));
  for (const id of promised.posted) assert.ok(found.posted.has(id), `${id} was acknowledged`);
  for (const id of promised.completed) {
    assert.ok(found.completed.has(id), `${id} was acknowledged as completed`);
  }
  for (const [key, id] of [...promised.keys].slice(-20)) {
    const again = await caller.post('/v1/tasks', { project: 'shop', title: key }, { key });
    assert.equal(again.body.tasks?.[0].id, id, 'a repeated request has its first answer');
  }
  caller.close();
}

function verify(hall: HallProcess): void {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [BIN, 'audit', 'verify', '--config', hall.config],
    { encoding: 'utf8' },
  );
  assert.equal(status, 0, `${stdout}${stderr}`);
}
