import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { runScript } from '../../../test/support/child.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { openSqlite } from './open.ts';

describe('a data directory belongs to one hall', () => {
  test('a second hall on a data directory is refused with the process that uses it', async () => {
    using folder = tempFolder();
    const settings = { path: folder.file('hall.db'), checkUpTo: 0 };
    const first = await openSqlite(settings);
    await assert.rejects(openSqlite(settings), {
      name: 'DirectoryInUse',
      message: new RegExp(
        `^${folder.path} is in use by a running hall \\(process ${process.pid} on `,
      ),
    });
    using other = runScript('./sqlite-writer.ts', [settings.path, '1']);
    other.process.stdin?.end();
    const line = await other.said('DirectoryInUse');
    assert.match(line, new RegExp(`process ${process.pid} on .*: stop it first with`));
    assert.equal(await other.ended(), 1);
    await first.close();
  });

  test('a refused hall does not release the lock of the running one', async () => {
    using folder = tempFolder();
    const settings = { path: folder.file('hall.db'), checkUpTo: 0 };
    const first = await openSqlite(settings);
    for (let n = 0; n < 3; n += 1) await assert.rejects(openSqlite(settings));
    using other = runScript('./sqlite-writer.ts', [settings.path, '1']);
    other.process.stdin?.end();
    await other.said('DirectoryInUse');
    await first.close();
  });

  test('the next hall starts at once on the data directory of a killed one', async () => {
    using folder = tempFolder();
    const path = folder.file('hall.db');
    for (let n = 0; n < 3; n += 1) {
      using killed = runScript('./sqlite-writer.ts', [path, n === 0 ? '1' : '0']);
      await killed.said('written');
      await assert.rejects(openSqlite({ path, checkUpTo: 0 }), {
        name: 'DirectoryInUse',
        message: new RegExp(`process ${killed.process.pid} on`),
      });
      killed.process.kill('SIGKILL');
      await killed.ended();
      assert.equal(existsSync(folder.file('hall.pid')), true);
    }
    await (await openSqlite({ path, checkUpTo: 0 })).close();
    assert.equal(existsSync(folder.file('hall.pid')), false);
  });

  test('a process that reuses the pid of a dead hall does not lock its data directory', async () => {
    using folder = tempFolder();
    writeFileSync(folder.file('hall.pid'), `${process.ppid} on this-host\n`);
    writeFileSync(folder.file('hall.lock'), '');
    const store = await openSqlite({ path: folder.file('hall.db'), checkUpTo: 0 });
    assert.match(readFileSync(folder.file('hall.pid'), 'utf8'), new RegExp(`^${process.pid} on `));
    await store.close();
  });
});
