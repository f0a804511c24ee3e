import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from '../support/hall-fixture.ts';
import { adding, WorkersFixture, whyNoWorkers } from '../support/worker-fixture.ts';

describe('lost workers', { skip: await whyNoWorkers(), concurrency: 3 }, () => {
  it('GH-T07 X-015a X-015b X-015c: a suspended worker loses its task and changes nothing when it resumes', async () => {
    await using stage = await WorkersFixture.open({
      script: adding('a.txt', { waits: true }),
      // Long enough that the worker that takes over is unlikely to be lost too.
      hall: { dead_after_seconds: 15 },
      project: { crash_requeues: 20 },
    });
    const id = await stage.post();
    await stage.waitingAgent();
    const stopped = await stage.worker();
    process.kill(stopped, 'SIGSTOP');
    await until('the task was released', async () => (await stage.endings(id)).length > 0);
    stage.letAgentsGo();
    await stage.reaches(id, 'completed');
    const before = { pushed: stage.pushed(), whole: await stage.fixture.taskDetail(id) };
    assert.equal(before.pushed[0]?.updates, 1);

    process.kill(stopped, 'SIGCONT');
    await until('it has gone', () => !stage.recruits().some(({ pid }) => pid === stopped));
    assert.deepEqual(await stage.whatIsLeft(), []);
    const hows = (await stage.endings(id)).map(({ how }) => how);
    assert.deepEqual([...new Set(hows)], ['lost', 'completed']);
    assert.equal(hows.lastIndexOf('lost'), hows.length - 2, 'it was done once, and last');
    assert.deepEqual({ pushed: stage.pushed(), whole: await stage.fixture.taskDetail(id) }, before);
  });

  it('P7: a stopping hall also stops its workers without a run', async () => {
    await using stage = await WorkersFixture.open({ script: adding('a.txt') });
    const id = await stage.post();
    await stage.reaches(id, 'completed');
    await until('its worker waits for more', async () => {
      const { workers } = await stage.fixture.get('/v1/workers');
      return workers.length === 1 && workers[0].waiting;
    });
    assert.equal(await stage.hall.stop('SIGTERM'), 0);
    assert.deepEqual(await stage.leftRunning(), []);
  });

  it('R25: a task whose agent always dies fails with a reason, and each new start waits longer', async () => {
    await using stage = await WorkersFixture.open({
      script: adding('a.txt'),
      type: { command: ['sh', '-c', 'kill -9 $$'] },
      project: { crash_requeues: 2 },
    });
    const id = await stage.post();
    const { outcome, summary } = await stage.reaches(id, 'failed');
    assert.equal(outcome, 'crashed');
    assert.match(summary, /^lost 3 workers in a row, the last: .*; check its log before/);
    assert.deepEqual(await stage.whatIsLeft(), []);
    const { events } = await stage.fixture.get('/v1/events?order=oldest&limit=200');
    const timesOf = (wanted: string): number[] =>
      events
        .filter(({ type }: { type: string }) => type === wanted)
        .map(({ at }: { at: string }) => Date.parse(at));
    const [gone, came] = [timesOf('WorkerDeregistered'), timesOf('WorkerRegistered')];
    const rests = came.slice(1).map((at, n) => at - (gone[n] ?? 0));
    assert.equal(rests.length, 2);
    for (const [n, least] of [1_000, 2_000].entries()) {
      assert.ok((rests[n] ?? 0) >= least, `rest ${n + 1} was ${rests[n]} ms`);
    }
    assert.deepEqual(stage.pushed(), []);
  });

  it('R27: a worker continues while its hall is stopped and restarted, and the hall finds it again', async () => {
    await using stage = await WorkersFixture.open({ script: adding('a.txt', { waits: true }) });
    const id = await stage.post();
    await stage.waitingAgent();
    const worker = await stage.worker();
    assert.equal(await stage.hall.stop('SIGTERM'), 0);
    assert.deepEqual(
      stage.recruits().map(({ pid }) => pid),
      [worker],
    );
    await stage.hall.start();
    stage.letAgentsGo();
    await stage.reaches(id, 'completed');
    assert.equal((await stage.endings(id)).length, 1);
    assert.equal(stage.pushed()[0]?.updates, 1);
    assert.equal(await stage.worker(), worker);
    assert.deepEqual(await stage.whatIsLeft(), []);
  });

  it('a worker whose hall is gone for longer than its lease ends its agent and exits', async () => {
    await using stage = await WorkersFixture.open({
      script: adding('a.txt', { waits: true }),
      hall: { dead_after_seconds: 15 },
      project: { crash_requeues: 20 },
    });
    await stage.post();
    await stage.waitingAgent();
    await stage.hall.stop('SIGKILL');
    await until('nothing of it runs', () => stage.running().length === 0);
  });
});
