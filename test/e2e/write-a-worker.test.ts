import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Caller } from '../support/caller.ts';
import { until } from '../support/hall-fixture.ts';
import { HallProcess } from '../support/hall-process.ts';
import { ROOT } from '../support/tree.ts';

const PAGE = readFileSync(join(ROOT, 'docs/guide/write-a-worker.md'), 'utf8');
const PROGRAM = /```js\n([\s\S]*?)```/.exec(PAGE)?.[1] ?? '';

/** Runs the body of a task as a script. */
const COMMAND = `
  const { body } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
  eval(body);
`;

describe('the worker from the guide', () => {
  let hall: HallProcess;
  let caller: Caller;
  let worker: ChildProcess;

  before(async () => {
    const often = { heartbeat_seconds: 0.2, dead_after_seconds: 30 };
    hall = await HallProcess.start({ projects: { shop: 3 }, hall: often });
    caller = hall.caller();
    worker = startWorker();
  });
  after(async () => {
    worker.kill('SIGKILL');
    caller.close();
    await hall[Symbol.asyncDispose]();
  });

  function startWorker(): ChildProcess {
    const program = join(hall.folder, 'worker.mjs');
    writeFileSync(program, PROGRAM.replaceAll('wait_seconds: 30', 'wait_seconds: 1'));
    return spawn(process.execPath, [program, process.execPath, '-e', COMMAND], {
      env: { ...process.env, GUILDHALL_URL: hall.url, GUILDHALL_TOKEN: hall.token },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  }

  async function post(script: string): Promise<string> {
    const task = { project: 'shop', title: 'Run a script', body: script };
    const { body } = await caller.post('/v1/tasks', task);
    return body.tasks[0].id;
  }

  async function ended(id: string, state: string) {
    return until(`${id} is ${state}`, async () => {
      const { body } = await caller.get(`/v1/tasks/${id}`);
      return body.task.state === state && body.task;
    });
  }

  async function workers(): Promise<readonly { readonly id: string }[]> {
    return (await caller.get('/v1/workers')).body.workers;
  }

  test('the guide worker completes a task with the output of its command and claims the next', async () => {
    const tasks = [await post('console.log("said hello")'), await post('console.log("again")')];
    const done = await Promise.all(tasks.map((id) => ended(id, 'completed')));
    assert.deepEqual(
      done.map(({ summary }) => summary),
      ['said hello', 'again'],
    );
    const { body } = await caller.get(`/v1/tasks/${tasks[0]}/log`);
    assert.equal(body.entries[0].text, 'said hello\n');
  });

  test('the guide worker reports a command that failed', async () => {
    const { summary } = await ended(await post('process.exit(7)'), 'failed');
    assert.match(summary, / failed: 7$/);
  });

  test('the guide worker stops a cancelled task and completes another', async () => {
    const long = await post('console.log("begun"); setTimeout(() => {}, 600000)');
    await ended(long, 'running');
    await caller.post(`/v1/tasks/${long}/cancel`);
    await ended(await post(''), 'completed');
  });

  test('the guide worker registers again after it was dismissed', async () => {
    const [before] = await workers();
    await caller.call('DELETE', `/v1/workers/${before?.id}`);
    await ended(await post(''), 'completed');
    const [now] = await workers();
    assert.notEqual(now?.id, before?.id);
  });

  test('the guide worker continues after the hall is killed and restarted', async () => {
    await hall.stop('SIGKILL');
    await hall.start();
    await ended(await post(''), 'completed');
  });

  test('the guide worker deregisters and exits when it is drained', async () => {
    const [now] = await workers();
    const exit = once(worker, 'exit');
    await caller.post(`/v1/workers/${now?.id}/drain`);
    assert.deepEqual(await exit, [0, null]);
    assert.deepEqual(await workers(), []);
  });
});
