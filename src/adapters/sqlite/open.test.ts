import assert from 'node:assert/strict';
import { chmodSync, copyFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import Database from 'better-sqlite3';
import { History } from '../../../test/support/history.ts';
import { settleIn } from '../../../test/support/story.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { SCHEMA, versionOf } from '../sql/schema-version.ts';
import { tableStatements } from '../sql/tables.ts';
import { backup, restoreInto } from './backup.ts';
import { WRITER_PRAGMAS } from './connection.ts';
import { mountedAt } from './filesystem.ts';
import { openSqlite, SQLITE_ENVIRONMENT } from './open.ts';

const settings = (path: string) => ({ path, checkUpTo: 2 ** 30 });

describe('a hall does not start on a database', () => {
  test('a hall does not start with database settings that acknowledge a write before it is on disk', async () => {
    using folder = tempFolder();
    const path = folder.file('hall.db');
    const lax = WRITER_PRAGMAS.filter((pragma) => !pragma.startsWith('synchronous'));
    await assert.rejects(openSqlite(settings(path), { ...SQLITE_ENVIRONMENT, pragmas: lax }), {
      name: 'NotDurable',
      message:
        /journal_mode wal and synchronous 1: a power failure could lose acknowledged changes/,
    });
    const rollback = ['journal_mode = DELETE', 'synchronous = FULL'];
    await assert.rejects(openSqlite(settings(path), { ...SQLITE_ENVIRONMENT, pragmas: rollback }), {
      name: 'NotDurable',
    });
    await (await openSqlite(settings(path))).close();
  });

  test('a hall does not start with a SQLite version that can lose a commit', async () => {
    using folder = tempFolder();
    for (const version of ['3.51.2', '3.50.9', '2.99.99']) {
      const environment = { ...SQLITE_ENVIRONMENT, version: () => version };
      await assert.rejects(openSqlite(settings(folder.file('hall.db')), environment), {
        name: 'SqliteTooOld',
        message: new RegExp(`^SQLite ${version} can lose commits; 3.51.3 or newer is needed`),
      });
    }
    for (const version of ['3.51.3', '3.52.0', '4.0.0']) {
      const environment = { ...SQLITE_ENVIRONMENT, version: () => version };
      await (await openSqlite(settings(folder.file('hall.db')), environment)).close();
    }
    assert.deepEqual(readdirSync(folder.path), ['hall.db', 'hall.lock']);
  });

  test('a hall does not start on a network filesystem', async () => {
    using folder = tempFolder();
    for (const kind of ['nfs4', 'cifs', 'smb3', 'fuse.sshfs', '9p']) {
      const environment = { ...SQLITE_ENVIRONMENT, filesystemOf: async () => kind };
      await assert.rejects(openSqlite(settings(folder.file('hall.db')), environment), {
        name: 'UnsafeFilesystem',
        message: new RegExp(`is on a network filesystem \\(${kind}\\)`),
      });
    }
    assert.deepEqual(readdirSync(folder.path), []);
  });

  test('a hall does not start on the database of a newer version, and does not change it', async () => {
    using folder = tempFolder();
    const path = folder.file('hall.db');
    const known = versionOf(SCHEMA);
    const newer = { fresh: tableStatements, steps: [...SCHEMA.steps, () => []] };
    await (await openSqlite(settings(path), { ...SQLITE_ENVIRONMENT, schema: newer })).close();
    copyFileSync(path, folder.file('before.db'));
    await assert.rejects(openSqlite(settings(path)), {
      name: 'SchemaAhead',
      message: new RegExp(
        `^the database has schema version ${known + 1}, but this hall knows only versions up to ${known}: start`,
      ),
    });
    assert.deepEqual(rowsIn(path), rowsIn(folder.file('before.db')));
  });

  test('a hall does not start on a file that is not its database', async () => {
    using folder = tempFolder();
    const path = folder.file('hall.db');
    new Database(path).exec('CREATE TABLE recipe (name TEXT)').close();
    await assert.rejects(openSqlite(settings(path)), { name: 'ForeignDatabase' });
    writeFileSync(folder.file('text.db'), 'This is a letter and no database at all.\n'.repeat(99));
    await assert.rejects(openSqlite(settings(folder.file('text.db'))), { name: 'DatabaseDamaged' });
  });

  test('a hall does not start when its last commit does not match its events', async () => {
    using folder = tempFolder();
    const path = folder.file('hall.db');
    const store = await openSqlite(settings(path));
    const history = settleIn(new History());
    await history.commit(store);
    const { task } = history.post('shop');
    await history.commit(store);
    await store.close();
    const db = new Database(path);
    db.exec(`UPDATE event SET body = replace(body, 'Task', 'Tusk') WHERE seq = ${task}`);
    db.close();
    await assert.rejects(openSqlite({ path, checkUpTo: 0 }), {
      name: 'DatabaseDamaged',
      message: /event 12 does not match its hash: it was changed after it was written/,
    });
  });
});

test('only the account of the hall can read its database files', async () => {
  using folder = tempFolder();
  chmodSync(folder.path, 0o755);
  const path = folder.file('hall.db');
  const store = await openSqlite(settings(path));
  await settleIn(new History()).commit(store);
  await backup(path, folder.file('copy.db'));
  const modeOf = (file: string) => statSync(folder.file(file)).mode & 0o777;
  for (const file of ['hall.db', 'hall.db-wal', 'hall.db-shm', 'copy.db']) {
    assert.equal(modeOf(file), 0o600, file);
  }
  await store.close();
  const newer = { fresh: tableStatements, steps: [...SCHEMA.steps, () => []] };
  await (await openSqlite(settings(path), { ...SQLITE_ENVIRONMENT, schema: newer })).close();
  assert.equal(modeOf(`hall.db.version-${versionOf(SCHEMA)}`), 0o600);
  chmodSync(folder.file('copy.db'), 0o644);
  await restoreInto(path, folder.file('copy.db'));
  assert.equal(modeOf('hall.db'), 0o600);
});

test('a hall that failed to start does not lock the data directory', async () => {
  using folder = tempFolder();
  const path = folder.file('hall.db');
  await assert.rejects(openSqlite(settings(path), { ...SQLITE_ENVIRONMENT, pragmas: [] }));
  await (await openSqlite(settings(path))).close();
});

test('the filesystem of a folder is that of its deepest mount', () => {
  const mounts = [
    '22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw',
    '30 22 0:26 / /srv rw shared:2 - nfs4 server:/export rw',
    '31 30 0:27 / /srv/my\\040disk rw - fuse.sshfs me@host:/ rw',
    '32 22 0:28 / /srv2 rw - tmpfs tmpfs rw',
  ].join('\n');
  assert.equal(mountedAt('/var/lib/hall', mounts), 'ext4');
  assert.equal(mountedAt('/srv/hall', mounts), 'nfs4');
  assert.equal(mountedAt('/srv/my disk/hall', mounts), 'fuse.sshfs');
  assert.equal(mountedAt('/srv2', mounts), 'tmpfs');
});

function rowsIn(path: string): unknown {
  const db = new Database(path, { readonly: true });
  const rows = db.prepare('SELECT * FROM meta ORDER BY key').all();
  db.close();
  return rows;
}
