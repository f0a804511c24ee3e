import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { STORES } from '../support/acceptance-stores.ts';
import type { Caller } from '../support/caller.ts';
import { type Claim, expectOk, type Json } from '../support/hall-fixture.ts';

const PROJECTS = 50;
const WORKERS_EACH = 20;

const names = Array.from({ length: PROJECTS }, (_, n) => `p${n + 1}`);

/** Requests at once: as many as in a busy hall, without a thousand sockets. */
const AT_ONCE = 64;

async function forEach<T, R>(all: readonly T[], act: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const left = all.map((one, at) => ({ one, at }));
  async function work(): Promise<void> {
    for (let next = left.shift(); next; next = left.shift()) {
      results[next.at] = await act(next.one);
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return results;
}

interface Joined {
  readonly id: string;
  readonly token: string;
  readonly project: string;
}

async function join(caller: Caller, project: string): Promise<Joined> {
  const registration = { instance: 'dev-default', brings_model: true, projects: [project] };
  const { id, token } = expectOk(await caller.post('/v1/workers', registration));
  return { id, token, project };
}

for (const on of STORES) {
  describe(`a busy hall, on ${on.store}`, () => {
    on.test(
      'GH-046a GH-046b: 50 projects run 20 workers each at once, each with its own task',
      async (place) => {
        const projects = Object.fromEntries(names.map((name) => [name, WORKERS_EACH]));
        const hall = await place.start({ projects });
        const caller = hall.caller();
        const tasks = names.flatMap((project) =>
          Array.from({ length: WORKERS_EACH + 1 }, (_, n) => ({ project, title: `task ${n}` })),
        );
        for (const half of [tasks.slice(0, 600), tasks.slice(600)]) {
          expectOk(await caller.post('/v1/tasks', half));
        }
        const everywhere = names.flatMap((project) => Array(WORKERS_EACH).fill(project));
        const workers = await forEach(everywhere, (project) => join(caller, project));
        const claims = await forEach(workers, async ({ id, token }): Promise<Claim> => {
          return expectOk(await caller.post('/v1/claims', { worker: id }, { token }));
        });

        assert.equal(new Set(claims.map(({ task }) => task.id)).size, PROJECTS * WORKERS_EACH);
        for (const [n, { task }] of claims.entries())
          assert.equal(task.project, workers[n]?.project);
        const { body: board } = await caller.get('/v1/board');
        assert.deepEqual([board.totals.running, board.totals.workers], [1_000, 1_000]);
        for (const { name, running, counts } of board.projects) {
          assert.deepEqual([name, running, counts.available], [name, WORKERS_EACH, 1]);
        }
        const late = await forEach(names, (project) => join(caller, project));
        const refused = await forEach(late, ({ id, token }) =>
          caller.post('/v1/claims', { worker: id }, { token }),
        );
        for (const { status } of refused) assert.equal(status, 204, 'a twenty-first is blocked');

        await forEach(claims, async ({ run, fence }: Json) => {
          const token = workers[claims.findIndex((claim) => claim.run === run)]?.token ?? '';
          const report = { fence, outcome: 'completed', summary: 'done' };
          expectOk(await caller.post(`/v1/runs/${run}/report`, report, { token }));
        });
        const { body: after } = await caller.get('/v1/board');
        assert.deepEqual([after.totals.counts.completed, after.totals.open], [1_000, PROJECTS]);
        caller.close();
      },
    );
  });
}
