import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import Database from 'better-sqlite3';
import { runScript } from '../../../test/support/child.ts';
import { earlierDatabase } from '../../../test/support/earlier-hall.ts';
import { History } from '../../../test/support/history.ts';
import { indexAll } from '../../../test/support/opened-store.ts';
import { LATER } from '../../../test/support/sqlite-migration.ts';
import { everyEvent } from '../../../test/support/story.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { verifyTables } from '../../../test/support/verify-tables.ts';
import { createMemoryTables } from '../memory/tables.ts';
import { SQLITE } from '../sql/dialect.ts';
import { SCHEMA, statementsFrom, versionOf } from '../sql/schema-version.ts';
import { checkIntegrity } from './integrity.ts';
import { openSqlite, SQLITE_ENVIRONMENT } from './open.ts';
import { openSnapshot } from './snapshot.ts';

const PRESENT = versionOf(SCHEMA);

async function filled(path: string): Promise<void> {
  const store = await openSqlite({ path, checkUpTo: 0 });
  const history = new History();
  everyEvent(history);
  await history.commit(store);
  await store.close();
}

/** Names and texts of all tables and indexes, and the version. */
function shapeOf(path: string): unknown {
  const db = new Database(path, { readonly: true });
  const shape = db.prepare('SELECT name FROM sqlite_schema ORDER BY name').pluck().all();
  const columns = db.pragma('table_info(task)');
  const version = db.prepare("SELECT value FROM meta WHERE key = 'schema'").pluck().get();
  db.close();
  return { shape, columns, version };
}

/** Takes away the table that the next version added. */
function asVersion(version: number, path: string, table: string): void {
  const db = new Database(path);
  db.exec(`DROP TABLE ${table}; UPDATE meta SET value = '${version}' WHERE key = 'schema'`);
  db.close();
}

/** Version 3 had no search index. */
function asThirdVersion(path: string): void {
  const db = new Database(path);
  db.exec("DROP TABLE task_search; UPDATE meta SET value = '3' WHERE key = 'schema'");
  db.close();
}

describe('a migration', () => {
  test('a migration gives an older database the tables of a fresh one', async () => {
    using folder = tempFolder();
    await filled(folder.file('old.db'));
    for (const name of ['old.db', 'fresh.db']) {
      const settings = { path: folder.file(name), checkUpTo: 0 };
      await (await openSqlite(settings, { ...SQLITE_ENVIRONMENT, schema: LATER })).close();
    }
    assert.deepEqual(shapeOf(folder.file('old.db')), shapeOf(folder.file('fresh.db')));
  });

  for (const version of [1, 2]) {
    test(`a database of version ${version} is migrated to this version with all its data`, async () => {
      using folder = tempFolder();
      await filled(folder.file('fresh.db'));
      const path = folder.file('hall.db');
      writeFileSync(path, earlierDatabase());
      if (version === 1) asVersion(1, path, 'decision');
      const store = await openSqlite({ path, checkUpTo: 2 ** 30 });
      assert.deepEqual(await verifyTables(store, createMemoryTables()), []);
      await store.close();
      assert.deepEqual(shapeOf(path), shapeOf(folder.file('fresh.db')));
      assert.deepEqual(await checkIntegrity(path), []);
    });
  }

  test('a database of version 3 gets the secrets and the search index, and can be exported before that', async () => {
    using folder = tempFolder();
    const [path, fresh] = [folder.file('hall.db'), folder.file('fresh.db')];
    for (const each of [path, fresh]) await filled(each);
    asThirdVersion(path);
    asVersion(3, path, 'secret_value');
    const snapshot = openSnapshot(path);
    assert.deepEqual(await snapshot.secrets(), []);
    snapshot.close();
    const store = await openSqlite({ path, checkUpTo: 2 ** 30 });
    assert.deepEqual(await store.secrets(), []);
    assert.deepEqual(await verifyTables(store, createMemoryTables()), []);
    assert.equal(await store.indexedTo(), 0);
    await indexAll(store);
    assert.equal(await store.indexedTo(), (await store.head()).seq);
    await store.close();
    assert.deepEqual(shapeOf(path), shapeOf(fresh));
    assert.ok(existsSync(`${path}.version-3`));
    assert.deepEqual(await checkIntegrity(path), []);
  });

  test('X-021a: a killed migration from the previous release leaves the old tables, and the next start completes it', async () => {
    using folder = tempFolder();
    const path = folder.file('hall.db');
    writeFileSync(path, earlierDatabase());
    const before = shapeOf(path);
    const last = statementsFrom(2, SQLITE, SCHEMA).length;
    for (const n of [1, Math.floor(last / 2), last]) {
      using killed = runScript('./sqlite-migration.ts', [path, String(n)]);
      await killed.ended();
      assert.equal(killed.process.signalCode, 'SIGKILL');
      assert.deepEqual(shapeOf(path), before, `killed after statement ${n}`);
    }
    const store = await openSqlite({ path, checkUpTo: 2 ** 30 });
    assert.deepEqual(await verifyTables(store, createMemoryTables()), []);
    await store.close();
    assert.deepEqual(shapeOf(`${path}.version-2`), before);
  });

  test('a migration keeps a copy of the old database', async () => {
    using folder = tempFolder();
    const path = folder.file('hall.db');
    await filled(path);
    const before = shapeOf(path);
    await (
      await openSqlite({ path, checkUpTo: 0 }, { ...SQLITE_ENVIRONMENT, schema: LATER })
    ).close();
    assert.deepEqual(shapeOf(`${path}.version-${PRESENT}`), before);
    await (await openSqlite({ path: `${path}.version-${PRESENT}`, checkUpTo: 2 ** 30 })).close();
  });

  test('a migration killed after any statement leaves the old tables, and the next start completes it', async () => {
    using folder = tempFolder();
    const path = folder.file('hall.db');
    await filled(path);
    const before = shapeOf(path);
    const statements = statementsFrom(PRESENT, SQLITE, LATER);
    for (let n = 1; n <= statements.length; n += 1) {
      using killed = runScript('./sqlite-migration.ts', [path, String(n)]);
      await killed.ended();
      assert.equal(killed.process.signalCode, 'SIGKILL');
      assert.deepEqual(shapeOf(path), before, `killed after ${statements[n - 1]}`);
    }
    await (
      await openSqlite({ path, checkUpTo: 2 ** 30 }, { ...SQLITE_ENVIRONMENT, schema: LATER })
    ).close();
    assert.notDeepEqual(shapeOf(path), before);
    assert.deepEqual(await checkIntegrity(path), []);
  });

  test('a database whose creation is killed after any statement is empty', async () => {
    using folder = tempFolder();
    const path = folder.file('hall.db');
    const last = statementsFrom(undefined, SQLITE, LATER).length;
    for (const n of [1, 2, Math.floor(last / 2), last]) {
      using killed = runScript('./sqlite-migration.ts', [path, String(n)]);
      await killed.ended();
      const db = new Database(path, { readonly: true });
      assert.deepEqual(db.prepare('SELECT name FROM sqlite_schema').all(), []);
      db.close();
    }
    await (await openSqlite({ path, checkUpTo: 0 })).close();
  });

  test('a database of this version needs no migration statement', () => {
    assert.deepEqual(statementsFrom(PRESENT, SQLITE, SCHEMA), []);
  });

  test('an up-to-date database is not copied', async () => {
    using folder = tempFolder();
    const path = folder.file('hall.db');
    await filled(path);
    await (await openSqlite({ path, checkUpTo: 0 })).close();
    assert.equal(existsSync(`${path}.version-${PRESENT}`), false);
  });
});
