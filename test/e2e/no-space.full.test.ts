import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { HallInProcess } from '../support/hall-in-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const task = { project: 'shop', title: 'Show prices' };

/** Fills a disk up to the space that SQLite needs for its own files. */
function fill(path: string, folder: string): void {
  const { bavail, bsize } = statfsSync(folder);
  writeFileSync(path, Buffer.alloc(bavail * bsize - 64 * 1024));
}

test('R07: a hall starts on a full disk, shows its board, refuses changes with 507, and makes them once there is space', async (t) => {
  using folder = tempFolder();
  const mount = ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', folder.path];
  const { status } = spawnSync('mount', mount);
  if (status !== 0) return t.skip('no small filesystem could be mounted');
  try {
    await using hall = await HallInProcess.start({
      projects: { shop: 1 },
      folder: folder.path,
      // A stop waits for the container engine, which may be slow.
      env: { PATH: '/nonexistent' },
    });
    assert.equal((await hall.caller().post('/v1/tasks', task)).status, 201);
    await hall.stop();
    fill(folder.file('ballast'), folder.path);

    await hall.start();
    assert.equal((await hall.caller().get('/v1/board')).body.totals.open, 1);
    assert.equal((await hall.caller().get('/v1/tasks')).body.tasks[0].title, task.title);
    const large = { ...task, body: 'x'.repeat(60_000) };
    const refused = await hall.caller().post('/v1/tasks', large);
    assert.deepEqual([refused.status, refused.body.code], [507, 'no_space']);
    assert.equal((await hall.caller().get('/v1/tasks')).body.tasks.length, 1);

    rmSync(folder.file('ballast'));
    assert.equal((await hall.caller().post('/v1/tasks', large)).status, 201);
    assert.equal((await hall.caller().get('/v1/tasks')).body.tasks.length, 2);
    await hall.stop();
  } finally {
    spawnSync('umount', ['--lazy', folder.path]);
  }
});
