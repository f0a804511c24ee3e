import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { Caller } from './caller.ts';
import { BIN, type HallProcess } from './hall-process.ts';
import { audit, wholeLog } from './history-check.ts';

/** What a hall acknowledged and so must never lose. */
export interface Promised {
  readonly posted: Set<string>;
  readonly completed: Set<string>;
  /** The posted task of each answered request, by idempotency key. */
  readonly keys: Map<string, string>;
  /** The next completion. */
  next: PromiseWithResolvers<void>;
}

export function nothingPromised(): Promised {
  const next = Promise.withResolvers<void>();
  return { posted: new Set(), completed: new Set(), keys: new Map(), next };
}

/** The clients of a killed hall are gone but would keep their slots for a lease of six minutes. */
export async function dismissAll(hall: HallProcess): Promise<void> {
  const caller = hall.caller();
  const { body } = await caller.get('/v1/workers');
  for (const { id } of body.workers) await caller.call('DELETE', `/v1/workers/${id}`);
  caller.close();
}

/** A client that posts, claims and completes until told otherwise, or until the hall is gone. */
export async function work(
  hall: HallProcess,
  promised: Promised,
  over: AbortSignal,
): Promise<void> {
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

/** Fails unless everything that was acknowledged is in the log, once and in order. */
export async function keepsItsWord(hall: HallProcess, promised: Promised): Promise<void> {
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

export function verify(hall: HallProcess): void {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [BIN, 'audit', 'verify', '--config', hall.config],
    { encoding: 'utf8' },
  );
  assert.equal(status, 0, `${stdout}${stderr}`);
}
