import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { type RunningHall, startHall } from '../../test/support/hall.ts';
import { createManualClock } from '../../test/support/manual-clock.ts';
import type { Log } from '../ports/log.ts';
import type {
  CheckReport,
  Merged,
  Pull,
  PullRequestHost,
  Updated,
} from '../ports/pull-request-host.ts';
import { reconcilePullRequests } from './reconcile-pull-requests.ts';

const QUIET: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const GREEN: CheckReport = { failing: [], excerpt: '', cannotRun: null, base: null, tree: null };

/** A forge whose checks end when the test says so. */
class SlowForge implements PullRequestHost {
  readonly checked: Pull[] = [];
  readonly #finish: (() => void)[] = [];

  check(pull: Pull): Promise<CheckReport> {
    this.checked.push(pull);
    const { promise, resolve } = Promise.withResolvers<CheckReport>();
    this.#finish.push(() => resolve(GREEN));
    return promise;
  }

  async rerun(): Promise<null> {
    return null;
  }

  async tips(): ReturnType<PullRequestHost['tips']> {
    return { branch: null, base: null };
  }

  async update({ commit }: Pull): Promise<Updated> {
    return { is: 'updated', commit };
  }

  async merge({ commit }: Pull): Promise<Merged> {
    return { is: 'merged', commit, isUnchanged: false };
  }

  finishAll(): void {
    for (const finish of this.#finish.splice(0)) finish();
  }
}

/** Two checks in progress, which is the limit, and a third thread whose check waits for its turn. */
async function withQueuedCheck() {
  const hall = await startHall();
  const project = { name: 'home', repo: 'file:/home', max_workers: 5, merge_policy: 'human' };
  const checks = [{ name: 'tests', run: 'npm test' }];
  assert.equal((await hall.caller.post('/v1/projects', { ...project, checks })).status, 201);
  const forge = new SlowForge();
  const clock = createManualClock();
  const reconciler = reconcilePullRequests({ hall: hall.hall, host: forge, clock, log: QUIET });
  await openPullRequest(hall, 1);
  await openPullRequest(hall, 2);
  await until(() => forge.checked.length === 2);
  const queued = await openPullRequest(hall, 3);
  return {
    hall,
    forge,
    queued,
    async [Symbol.asyncDispose]() {
      const stopped = reconciler.stop();
      forge.finishAll();
      await stopped;
      await hall[Symbol.asyncDispose]();
    },
  };
}

/** Returns the name of the thread. */
async function openPullRequest(hall: RunningHall, number: number): Promise<string> {
  await hall.post({ project: 'home' });
  const worker = await hall.worker();
  const { body } = await worker.caller.post('/v1/claims', { worker: worker.id });
  const { status } = await worker.caller.post(`/v1/runs/${body.run}/report`, {
    fence: body.fence,
    outcome: 'pr_created',
    branch: `hall/dev/issue-${number}`,
    commit: String(number).repeat(40),
  });
  assert.equal(status, 200);
  return body.task.thread;
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await setImmediate();
}

describe('a check that waits for its turn', () => {
  it('a delayed check run uses the checks that the project has when it starts', async () => {
    await using stage = await withQueuedCheck();
    const checks = [{ name: 'lint', run: 'npm run lint' }];
    const { status } = await stage.hall.caller.call('PATCH', '/v1/projects/home', { checks });
    assert.equal(status, 200);
    stage.forge.finishAll();
    await until(() => stage.forge.checked.length === 3);
    assert.deepEqual(stage.forge.checked[2]?.checks, checks);
  });

  it('a delayed check run does not start for a thread that was handed over in the meantime', async () => {
    await using stage = await withQueuedCheck();
    const { caller } = stage.hall;
    const path = `/v1/threads/${stage.queued}/handover`;
    assert.equal((await caller.post(path, { because: 'I finish it myself' })).status, 200);
    stage.forge.finishAll();
    const last = await openPullRequest(stage.hall, 4);
    await until(() => stage.forge.checked.length > 2);
    assert.equal(stage.forge.checked[2]?.name, `${last}-${'4'.repeat(12)}`);
  });
});
