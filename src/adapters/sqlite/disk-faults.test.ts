import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, renameSync, statfsSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, test } from 'node:test';
import { type Child, runScript } from '../../../test/support/child.ts';
import { History } from '../../../test/support/history.ts';
import { dice, settleIn, wander } from '../../../test/support/story.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { verifyTables } from '../../../test/support/verify-tables.ts';
import { type Group, type Store, StoreFailed } from '../../ports/store.ts';
import { createMemoryTables } from '../memory/tables.ts';
import { openSqlite } from './open.ts';

function lastAnswer({ lines }: Child): number {
  return Number(lines.findLast((line) => line.startsWith('ack '))?.slice(4) ?? 0);
}

/** Everything that was answered is there, and all of it is right. */
async function assertSound(path: string, answered: number): Promise<void> {
  const store = await openSqlite({ path, checkUpTo: 2 ** 30 });
  assert.equal((await store.head()).seq >= answered, true, `event ${answered} was answered`);
  assert.deepEqual(await verifyTables(store, createMemoryTables()), []);
  await store.close();
}

/** Writes until a group does not fit, and returns that group. */
async function writeUntilFull(store: Store, history: History): Promise<Group> {
  const roll = dice(5);
  for (;;) {
    for (let n = 0; n < 10; n += 1) wander(history, roll);
    const group = history.group();
    try {
      history.head = await store.append(group);
    } catch (error) {
      assert.equal((error as Error).name, 'StoreFull');
      assert.match((error as Error).message, /^could not write events after \d+: .*disk is full/);
      return group;
    }
  }
}

/** Fills a disk up to the space that a start needs for its files. */
function fill(path: string, left: number): void {
  const { bavail, bsize } = statfsSync(dirname(path));
  writeFileSync(path, Buffer.alloc(Math.max(0, bavail * bsize - left)));
}

function run(command: string, ...args: string[]): string | undefined {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  return status === 0 ? undefined : (error?.message ?? stderr.trim());
}

describe('when the disk', () => {
  test('when the disk is full, writes fail, reads work, and writes succeed once there is space', async (t) => {
    using folder = tempFolder();
    const fault = run('mount', '-t', 'tmpfs', '-o', 'size=600k', 'tmpfs', folder.path);
    if (fault !== undefined) return t.skip(`no small filesystem could be mounted: ${fault}`);
    try {
      const path = folder.file('hall.db');
      const store = await openSqlite({ path, checkUpTo: 0 });
      const history = settleIn(new History());
      const group = await writeUntilFull(store, history);
      assert.deepEqual(await store.head(), history.head);
      assert.equal((await store.events({ limit: 10 })).rows.length, 10);
      assert.ok((await store.tasks({ limit: 3 })).rows.length > 0);
      assert.deepEqual(await verifyTables(store, createMemoryTables()), []);
      await assert.rejects(store.append(group), { name: 'StoreFull' });
      await store.close();

      fill(folder.file('ballast'), 64 * 1024);
      const again = await openSqlite({ path, checkUpTo: 2 ** 30 });
      assert.deepEqual(await again.head(), history.head);
      assert.deepEqual(await verifyTables(again, createMemoryTables()), []);
      await assert.rejects(again.append(group), { name: 'StoreFull' });

      assert.equal(run('mount', '-o', 'remount,size=8m', folder.path), undefined);
      const { seq } = await again.append(group);
      await again.close();
      await assertSound(path, seq);
    } finally {
      run('umount', '--lazy', folder.path);
    }
  });

  // SQLite tolerates a failed sync of a folder, so not every injected fault stops the start.
  test('when the disk fails to sync, writes fail and acknowledged events survive a restart', async (t) => {
    if (run('strace', '-V') !== undefined) return t.skip('strace is not installed');
    let refused = 0;
    for (const when of [1, 2, 5, 9, 14, 20]) {
      using folder = tempFolder();
      const path = folder.file('hall.db');
      const inject = `inject=fdatasync,fsync:error=EIO:when=${when}`;
      const strace = ['strace', '-f', '-qq', '-o', '/dev/null', '-e', 'trace=fdatasync,fsync'];
      using child = runScript('./sqlite-writer.ts', [path, '30'], [...strace, '-e', inject]);
      child.process.stdin?.end();
      const code = await child.ended();
      const lastLine = child.lines.at(-1) ?? '';
      if (code !== 0) assert.match(lastLine, /disk I\/O error/);
      if (code !== 0 && child.lines.includes('open')) {
        assert.match(lastLine, /^StoreFailed: could not write events after \d+:/);
        refused += 1;
      }
      await assertSound(path, lastAnswer(child));
    }
    assert.equal(refused >= 2, true, 'too few of the faults met a group');
  });
});

describe('when a file of the store is moved under a running hall', () => {
  for (const part of ['-wal', '']) {
    test(`R10: when a store file is moved, writes fail and acknowledged events are saved: hall.db${part}`, async () => {
      using folder = tempFolder();
      const path = folder.file('hall.db');
      const store = await openSqlite({ path, checkUpTo: 0 });
      const history = settleIn(new History());
      await history.commit(store);
      const answered = history.head.seq;
      renameSync(path + part, folder.file('taken'));
      wander(history, dice(1));
      await assert.rejects(history.commit(store), (error) => {
        assert.ok(error instanceof StoreFailed);
        assert.match(error.message, /was moved, deleted or replaced while the hall was running$/);
        return true;
      });
      // What a crash at this moment would leave behind, without the log.
      const left = folder.file('left/hall.db');
      mkdirSync(dirname(left));
      copyFileSync(part === '' ? folder.file('taken') : path, left);
      await assertSound(left, answered);
      await store.close();
    });
  }
});
