import assert from 'node:assert/strict';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { searched } from '../support/hall-fixture.ts';
import { HallInProcess } from '../support/hall-in-process.ts';
import { type Ended, guildhall } from './cli-command.ts';

function on(hall: HallInProcess, ...args: string[]): Promise<Ended> {
  return guildhall([...args, '--config', hall.config], { cwd: hall.folder });
}

async function post(hall: HallInProcess, title: string): Promise<void> {
  const { status } = await hall.caller().post('/v1/tasks', [{ project: 'shop', title }]);
  assert.equal(status, 201);
}

async function titles(hall: HallInProcess, query = ''): Promise<readonly string[]> {
  const { body } = await hall.caller().get(`/v1/tasks${query}`);
  return body.tasks.map((task: { title: string }) => task.title).toReversed();
}

test('the printed restore command restores the hall of the backup, wherever it is typed', async () => {
  await using hall = await HallInProcess.start({ projects: { shop: 5 } });
  await using other = await HallInProcess.start({ projects: { shop: 5 } });
  await post(hall, 'Before');
  await post(other, 'Elsewhere');
  const config = relative(other.folder, hall.config);
  const cwd = other.folder;
  const made = await guildhall(['backup', '--config', config], { cwd });
  assert.equal(made.code, 0, made.stderr);
  await post(hall, 'After');
  await searched(hall.caller());
  await hall.stop();
  await other.stop();

  const [, words = ''] = /restore it with: .* (restore .*)/.exec(made.stderr) ?? [];
  const restored = await guildhall(words.split(' '), { cwd });
  assert.equal(restored.code, 0, restored.stderr);
  assert.match(restored.stderr, new RegExp(`next: .* start --config ${config}`));
  await hall.start();
  assert.deepEqual(await titles(hall), ['Before']);
  await searched(hall.caller());
  assert.deepEqual(await titles(hall, '?text=before'), ['Before']);
  assert.deepEqual(await titles(hall, '?text=after'), []);
  await other.start();
  assert.deepEqual(await titles(other), ['Elsewhere']);
});

test('restore refuses a backup of another hall and names both, and replaces it with --force', async () => {
  await using hall = await HallInProcess.start({ projects: { shop: 5 } });
  await using other = await HallInProcess.start({ projects: { shop: 5 } });
  await post(hall, 'Mine');
  await post(other, 'Theirs');
  const backup = join(other.folder, 'other.backup');
  assert.equal((await on(other, 'backup', backup)).code, 0);
  await hall.stop();
  const refused = await on(hall, 'restore', backup);
  assert.equal(refused.code, 1);
  const data = join(hall.folder, 'data');
  assert.match(refused.stderr, new RegExp(`${backup} is a backup of another hall .* ${data} `));
  assert.match(refused.stderr, new RegExp(`restore --config ${hall.config} --force FILE`));
  await hall.start();
  assert.deepEqual(await titles(hall), ['Mine']);
  await hall.stop();
  const forced = await on(hall, 'restore', backup, '--force');
  assert.equal(forced.code, 0, forced.stderr);
  assert.match(forced.stderr, /the previous database is kept as .*replaced-1/);
});
