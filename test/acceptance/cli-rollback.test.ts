import assert from 'node:assert/strict';
import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { until } from '../support/hall-fixture.ts';
import { HallInProcess } from '../support/hall-in-process.ts';
import { begun, guildhall } from './cli-command.ts';

async function post(hall: HallInProcess, title: string): Promise<void> {
  const { status } = await hall.caller().post('/v1/tasks', { project: 'shop', title });
  assert.equal(status, 201);
}

async function titles(hall: HallInProcess): Promise<readonly string[]> {
  const { body } = await hall.caller().get('/v1/tasks');
  return body.tasks.map((task: { title: string }) => task.title).toReversed();
}

function database(hall: HallInProcess): string {
  return join(hall.folder, 'data', 'hall.db');
}

async function isOpen({ folder }: HallInProcess): Promise<void> {
  await until('the hall is open', () => existsSync(join(folder, 'data', 'hall.json')));
}

function verified(hall: HallInProcess) {
  return guildhall(['audit', 'verify', '--config', hall.config], { cwd: hall.folder });
}

describe('a database that was rolled back', () => {
  test('X-019: a rolled-back database is refused at start, with what to do, until it is started with --accept-rollback', async () => {
    await using hall = await HallInProcess.start({ projects: { shop: 5 } });
    await post(hall, 'Before');
    await hall.stop();
    copyFileSync(database(hall), join(hall.folder, 'old.db'));
    await hall.start();
    await post(hall, 'After');
    await hall.stop();
    copyFileSync(join(hall.folder, 'old.db'), database(hall));
    await assert.rejects(
      hall.start(),
      /its end is missing.*guildhall\S* restore --config \S+ FILE.*start --config \S+ --accept-rollback/s,
    );

    const started = begun(['start', '--accept-rollback', '--config', hall.config], {
      cwd: hall.folder,
    });
    await isOpen(hall);
    started.signal('SIGTERM');
    assert.equal(await started.ended, 0);

    await hall.start();
    assert.deepEqual(await titles(hall), ['Before']);
    assert.equal((await verified(hall)).code, 0);
  });

  test('--accept-rollback starts a new era, in which earlier workers are refused', async () => {
    await using hall = await HallInProcess.start({ projects: { shop: 5 } });
    const joined = await hall.caller().post('/v1/workers', {
      instance: 'dev-default',
      brings_model: true,
    });
    const claim = () =>
      hall.caller(joined.body.token).post('/v1/claims', { worker: joined.body.id });
    assert.equal((await claim()).status, 204);
    await hall.stop();

    const started = begun(['start', '--accept-rollback', '--config', hall.config], {
      cwd: hall.folder,
    });
    try {
      await isOpen(hall);
      assert.equal((await claim()).status, 401);
    } finally {
      started.signal('SIGTERM');
      await started.ended;
    }
  });
});
