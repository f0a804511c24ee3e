import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type HallOptions, startHall } from '../support/hall.ts';
import { searched } from '../support/hall-fixture.ts';
import { withPostgres } from '../support/postgres-part.ts';

/** One task from posting to completion, checked through every kind of query. */
async function story(store: NonNullable<HallOptions['store']>): Promise<void> {
  await using hall = await startHall({ store, tickSeconds: 1 });
  const worker = await hall.worker();
  const task = { project: 'shop', title: 'Round prices', body: 'to the cent', labels: ['money'] };
  const posted = await hall.caller.post('/v1/tasks', task, { key: 'post' });
  const id = posted.body.tasks[0].id;
  assert.deepEqual((await hall.caller.post('/v1/tasks', task, { key: 'post' })).body, posted.body);

  const { body: claim } = await worker.caller.post('/v1/claims', { worker: worker.id });
  assert.equal(claim.task.body, 'to the cent');
  const call = (verb: string, content: object, of = claim) =>
    worker.caller.post(`/v1/runs/${of.run}/${verb}`, { fence: of.fence, ...content });
  await call('start', {});
  await call('usage', { input_tokens: 10, output_tokens: 2 });
  await call('log', { entries: ['one', 'two'] });
  await call('log', { entries: ['three'] });
  await call('note', { text: 'see money.ts' });
  await call('ask', { question: 'Up or down?' });
  await hall.caller.post(`/v1/tasks/${id}/answer`, { text: 'nearest' });

  const { body: again } = await worker.caller.post('/v1/claims', { worker: worker.id });
  assert.deepEqual(
    again.task.notes.map(({ text }: { text: string }) => text),
    ['see money.ts', 'Up or down?', 'nearest'],
  );
  const report = { outcome: 'completed', summary: 'done', branch: 'hall/dev/1' };
  assert.equal((await call('report', report, again)).body.state, 'completed');
  assert.equal((await call('report', report, again)).status, 409);

  const { body: detail } = await hall.caller.get(`/v1/tasks/${id}`);
  assert.equal(detail.task.state, 'completed');
  assert.deepEqual(
    detail.runs.map(({ ending }: { ending: { how: string } }) => ending.how),
    ['asked', 'completed'],
  );
  const { body: first } = await hall.caller.get(`/v1/runs/${claim.run}/transcript`);
  assert.deepEqual(
    first.entries.map(({ text }: { text: string }) => text),
    ['one', 'two', 'three'],
  );
  await searched(hall.caller);
  const { body: listed } = await hall.caller.get('/v1/tasks?state=completed&text=ROUND');
  assert.deepEqual(
    listed.tasks.map(({ id: found }: { id: string }) => found),
    [id],
  );
  const { body: now } = await hall.caller.get('/v1/board');
  const { body: then } = await hall.caller.get(`/v1/board?at=${encodeURIComponent(now.at)}`);
  assert.deepEqual(then.projects, now.projects);
  assert.equal((await hall.caller.get('/v1/health')).body.status, 'up');
}

describe('a task from posting to completion', () => {
  test('GH-T03 GH-040: a task is carried from posting to completion with the memory store', () =>
    story('memory'));

  test('GH-T03 GH-040: a task is carried from posting to completion on SQLite', () =>
    story('sqlite'));

  test('GH-T03 GH-040: a task is carried from posting to completion on PostgreSQL', (t) =>
    withPostgres(t, (postgres) => story({ postgres })));
});
