import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, Caller } from './caller.ts';

/** Posts tasks evenly over projects, in batches. */
export async function postMany(
  caller: Caller,
  projects: readonly string[],
  count: number,
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let from = 0; from < count; from += 500) {
    const batch = Array.from({ length: Math.min(500, count - from) }, (_, n) => ({
      project: projects[(from + n) % projects.length],
      title: `task ${from + n}`,
    }));
    const { status, body } = await caller.post('/v1/tasks', batch);
    assert.equal(status, 201, JSON.stringify(body));
    ids.push(...body.tasks.map((task: { id: string }) => task.id));
  }
  return ids;
}

export interface Racer {
  /** Tasks whose completion was acknowledged to this worker. */
  readonly done: string[];
}

/**
 * Workers that claim and complete until nothing is left, through whichever of the halls answers.
 *
 * Every request is repeated under the same key until somebody answers it, as a worker must when a
 * hall goes away in the middle.
 */
export async function race(
  halls: readonly Caller[],
  workers: number,
  isOver: () => boolean,
): Promise<readonly Racer[]> {
  return Promise.all(Array.from({ length: workers }, (_, n) => run(rotated(halls, n), isOver)));
}

function rotated(halls: readonly Caller[], by: number): readonly Caller[] {
  return halls.map((_, n) => halls[(n + by) % halls.length] as Caller);
}

async function run(halls: readonly Caller[], isOver: () => boolean): Promise<Racer> {
  const done: string[] = [];
  const registered = await insist(halls, '/v1/workers', {
    instance: 'dev-default',
    brings_model: true,
  });
  assert.equal(registered.status, 201, JSON.stringify(registered.body));
  const { id: worker, token } = registered.body;
  const own = halls.map((hall) => new Caller(hall.url, token));
  while (!isOver()) {
    const claimed = await insist(own, '/v1/claims', { worker, wait_seconds: 1 });
    if (claimed.status === 204) continue;
    assert.equal(claimed.status, 200, JSON.stringify(claimed.body));
    const { run: name, fence, task } = claimed.body;
    const report = { fence, outcome: 'completed', summary: 'done' };
    const reported = await insist(own, `/v1/runs/${name}/report`, report);
    if (reported.status === 200) done.push(task.id);
    else assert.equal(reported.status, 409, JSON.stringify(reported.body));
  }
  for (const caller of own) caller.close();
  return { done };
}

const PATIENCE = 600_000;

/** Repeats a request until a node answers; 503 means "not now". */
export async function insist(
  halls: readonly Caller[],
  path: string,
  body: unknown,
): Promise<Answer> {
  const key = randomUUID();
  const deadline = performance.now() + PATIENCE;
  for (let attempt = 0; performance.now() < deadline; attempt += 1) {
    const hall = halls[attempt % halls.length] as Caller;
    const answer = await hall.post(path, body, { key }).catch(() => undefined);
    if (answer && answer.status !== 503 && answer.status !== 502) return answer;
    await sleep(50);
  }
  throw new Error(`no node answered ${path} for ${PATIENCE / 1000} s`);
}
