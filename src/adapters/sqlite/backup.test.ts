import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { History } from '../../../test/support/history.ts';
import { dumpOf, everythingIn } from '../../../test/support/opened-store.ts';
import { dice, settleIn, wander } from '../../../test/support/story.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { verifyTables } from '../../../test/support/verify-tables.ts';
import { createMemoryTables } from '../memory/tables.ts';
import { backup, restoreInto } from './backup.ts';
import { openWriter } from './connection.ts';
import { openSqlite } from './open.ts';
import { openSnapshot } from './snapshot.ts';

const settings = (path: string) => ({ path, checkUpTo: 2 ** 30 });

describe('a backup', () => {
  test('a backup of a running hall is a snapshot of its database at one moment', async () => {
    using folder = tempFolder();
    const store = await openSqlite(settings(folder.file('hall.db')));
    const history = settleIn(new History());
    const roll = dice(8);
    const heads = [(await history.commit(store)).seq];
    const copy = backup(folder.file('hall.db'), folder.file('copy.db'));
    let isDone = false;
    const done = copy.then(() => {
      isDone = true;
    });
    while (!isDone) {
      for (let n = 0; n < 5; n += 1) wander(history, roll);
      heads.push((await history.commit(store)).seq);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await done;
    await store.close();
    const reads = openSnapshot(folder.file('copy.db'));
    assert.equal(heads.includes((await reads.head()).seq), true);
    assert.deepEqual(await verifyTables(reads, createMemoryTables()), []);
    reads.close();
    assert.equal(existsSync(folder.file('copy.db.unfinished')), false);
  });

  test('a backup replaces an earlier and an unfinished one', async () => {
    using folder = tempFolder();
    const store = await openSqlite(settings(folder.file('hall.db')));
    await settleIn(new History()).commit(store);
    writeFileSync(folder.file('copy.db.unfinished'), 'half of a backup');
    await backup(folder.file('hall.db'), folder.file('copy.db'));
    await backup(folder.file('hall.db'), folder.file('copy.db'));
    const expected = await dumpOf(store);
    await store.close();
    const again = await openSqlite(settings(folder.file('copy.db')));
    assert.deepEqual(await dumpOf(again), expected);
    await again.close();
  });
});

describe('a restore', () => {
  async function hallWithBackup(folder: ReturnType<typeof tempFolder>) {
    const path = folder.file('hall.db');
    const copy = folder.file('copy.db');
    const store = await openSqlite(settings(path));
    const history = settleIn(new History());
    await history.commit(store);
    await backup(path, copy);
    const then = await everythingIn(store);
    history.post('shop');
    await history.commit(store);
    await store.close();
    return { path, copy, then };
  }

  async function everythingAt(path: string) {
    const store = await openSqlite(settings(path));
    const everything = await everythingIn(store);
    await store.close();
    return everything;
  }

  test('a restore brings back the backup and keeps the replaced database', async () => {
    using folder = tempFolder();
    const { path, copy, then } = await hallWithBackup(folder);
    const later = await everythingAt(path);
    await restoreInto(path, copy);
    assert.deepEqual(await everythingAt(path), then);
    assert.deepEqual(await everythingAt(`${path}.replaced-1`), later);
    await restoreInto(path, copy);
    assert.equal(existsSync(`${path}.replaced-2`), true);
  });

  test('a restore refuses a damaged or newer backup and a database in use, and changes nothing', async () => {
    using folder = tempFolder();
    const { path, copy } = await hallWithBackup(folder);
    const before = await everythingAt(path);
    writeFileSync(folder.file('bad.db'), 'no database');
    await assert.rejects(restoreInto(path, folder.file('bad.db')), { name: 'DatabaseDamaged' });
    copyFileSync(copy, folder.file('newer.db'));
    const db = openWriter(folder.file('newer.db'), []);
    db.exec("UPDATE meta SET value = '9' WHERE key = 'schema'");
    db.close();
    await assert.rejects(restoreInto(path, folder.file('newer.db')), { name: 'SchemaAhead' });
    const store = await openSqlite(settings(path));
    await assert.rejects(restoreInto(path, copy), { name: 'DirectoryInUse' });
    await store.close();
    assert.deepEqual(await everythingAt(path), before);
  });

  test('a restore killed between two steps is completed by the next start', async () => {
    using folder = tempFolder();
    const { copy, then } = await hallWithBackup(folder);
    for (const n of [0, 1, 2]) {
      using other = tempFolder();
      const there = other.file('hall.db');
      for (const file of readdirSync(folder.path).filter((name) => name.startsWith('hall.db'))) {
        copyFileSync(folder.file(file), other.file(file));
      }
      copyFileSync(copy, `${there}.restoring`);
      if (n > 0) renameSync(there, `${there}.replaced-1`);
      if (n > 1) writeFileSync(`${there}-wal`, 'the log of the database that was moved aside');
      assert.deepEqual(await everythingAt(there), then, `killed after step ${n}`);
      assert.equal(existsSync(`${there}.restoring`), false);
    }
  });

  test('a restore killed while copying has no effect', async () => {
    using folder = tempFolder();
    const { path } = await hallWithBackup(folder);
    const before = await everythingAt(path);
    writeFileSync(`${path}.copying`, 'half of a backup');
    assert.deepEqual(await everythingAt(path), before);
  });
});
