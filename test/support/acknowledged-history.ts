import { type HallFixture, type Json, until } from './hall-fixture.ts';
import { wholeLog } from './history-check.ts';

/** Changes of every kind that a hall can acknowledge. */
export async function acknowledgeMuch(fixture: HallFixture): Promise<void> {
  await isSettled(fixture);
  const shop = await fixture.project({ max_workers: 9, sources: [{ kind: 'api' }] });
  await fixture.post('/v1/tokens', { name: 'eve', role: 'viewer' });
  const worker = await shop.worker({ host: 'build-1' });
  const finish = async (task: object, report: object) => {
    await shop.post(task);
    await worker.mustCall('report', await worker.claimed(), report);
  };
  await finish(
    { title: 'done' },
    { outcome: 'completed', summary: 'yes', branch: 'b', commit: 'abc1234' },
  );
  const pr = { number: 1, url: 'https://forge.example/pull/1' };
  await finish({ title: 'proposed' }, { outcome: 'pr_created', branch: 'hall/dev/issue-1', pr });
  await finish({ title: 'failed' }, { outcome: 'failed', summary: 'no' });
  const rejection = { reason_code: 'duplicate', message: 'of t-1' };
  await finish({ title: 'rejected' }, { outcome: 'rejected', rejection });
  await finish(
    { title: 'deferred' },
    { outcome: 'quota_exceeded', resets_at: '2099-01-01T00:00:00Z' },
  );
  await shop.post({ title: 'asked' });
  await worker.mustCall('ask', await worker.claimed(), { question: 'Which?', session: 's-9' });
  await shop.post({ title: 'cancelled' });
  const cancelled = await worker.claimed();
  await fixture.post(`/v1/tasks/${cancelled.task.id}/cancel`, { because: 'enough' });
  await shop.post({ title: 'running' });
  const running = await worker.claimed();
  await worker.mustCall('start', running);
  await worker.mustCall('note', running, { text: 'half done' });
  await worker.mustCall('usage', running, {
    input_tokens: 7,
    output_tokens: 3,
    turns: 1,
    cost_usd: 0.1,
  });
  await worker.mustCall('log', running, { entries: ['one', 'two'] });
  const call = { command: 'rm -r ./temp', cwd: '/cell', worktree: '/cell' };
  const { body: review } = await worker.call('tool', running, call);
  const { id, nonce } = await fixture.get(`/v1/approvals/${review.approval}`);
  await fixture.post(`/v1/approvals/${id}`, { answer: 'deny', nonce, because: 'keep it' });
  const match = { program: 'terraform' };
  await fixture.post('/v1/rules', { verdict: 'deny', match, project: shop.name });
  const [, blocked] = await shop.postAll([{ ref: 'a', size: 'L' }, { depends_on: ['a'] }]);
  const { thread } = await fixture.task(blocked ?? '');
  await fixture.post(`/v1/threads/${thread}/handover`, { because: 'mine' });
  await fixture.post(`/v1/projects/${shop.name}/pause`, { because: 'lunch' });
  await fixture.post('/v1/agents/reviewer-default/pause');
  await fixture.post('/v1/pause', { because: 'night' });
}

/** A new hall records the current week. After that it records nothing by itself while there is no work. */
export async function isSettled(fixture: Pick<HallFixture, 'get'>): Promise<void> {
  await until('the hall knows which week it is', async () => {
    return (await fixture.get('/v1/events?type=QuotaWindowOpened')).events.length > 0;
  });
}

/** Everything that a hall shows, without what changes by time alone. */
export async function everything(fixture: HallFixture): Promise<Json> {
  const { at: _at, workers, ...board } = await fixture.get('/v1/board');
  const { tasks } = await fixture.get('/v1/tasks?limit=200');
  const wholes: Json[] = [];
  const logs: Json[] = [];
  for (const { id } of tasks) {
    wholes.push(await fixture.taskDetail(id));
    logs.push(await fixture.get(`/v1/tasks/${id}/log`));
  }
  const pages: Json[] = [];
  for (const path of [
    'projects',
    'threads',
    'agents',
    'tokens',
    'stats',
    'usage',
    'sources',
    'graph',
  ]) {
    pages.push(await fixture.get(`/v1/${path}`));
  }
  const unseen = workers.map(({ last_seen: _seen, ...worker }: Json) => worker);
  return { board, workers: unseen, wholes, logs, seen: pages, log: await wholeLog(fixture.caller) };
}
