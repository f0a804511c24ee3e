import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeDurably } from '../../src/adapters/files/write-durably.ts';
import { createMemoryTables } from '../../src/adapters/memory/tables.ts';
import { openSqlite } from '../../src/adapters/sqlite/open.ts';
import { type Child, runScript } from '../../test/support/child.ts';
import { type TempFolder, tempFolder } from '../../test/support/temp-folder.ts';
import { verifyTables } from '../../test/support/verify-tables.ts';
import type { Part } from './part.ts';

/** After so many cuts the database starts anew, because each cut checks all of it. */
const CUTS_PER_DATABASE = 25;

/**
 * A database on a filesystem in a file. A copy of that file, made while the database is written, is what a
 * power cut would leave: data that was not synced is not in it.
 */
export const powerCuts: Part = async ({ cuts }, say) => {
  using folder = tempFolder();
  const fault = makeImage(folder);
  if (fault !== undefined) return { skipped: `no filesystem in a file could be mounted: ${fault}` };
  let events = 0;
  try {
    for (let done = 0; done < cuts; done += CUTS_PER_DATABASE) {
      const path = folder.file(`disk/${done}.db`);
      using child = runScript('./sqlite-writer.ts', [path, '1000000']);
      await child.said('ack');
      for (let n = 0; n < Math.min(CUTS_PER_DATABASE, cuts - done); n += 1) {
        events = await cutOnce(folder, child, done);
      }
      child.process.kill('SIGKILL');
      await child.ended();
      for (const part of ['', '-wal', '-shm']) rmSync(path + part, { force: true });
      say(`power cuts: ${Math.min(cuts, done + CUTS_PER_DATABASE)}`);
    }
  } finally {
    run('umount', '--lazy', folder.file('disk'));
  }
  return { 'power cuts': cuts, 'events at the last': events, lost: 0, 'empty token files': 0 };
};

function makeImage(folder: TempFolder): string | undefined {
  mkdirSync(folder.file('disk'));
  mkdirSync(folder.file('left'));
  return (
    run('truncate', '--size=256M', folder.file('image')) ??
    run('mkfs.ext4', '-q', '-F', folder.file('image')) ??
    run('mount', '-o', 'loop', folder.file('image'), folder.file('disk'))
  );
}

/** Returns how many events were there after the cut. */
async function cutOnce(folder: TempFolder, child: Child, name: number): Promise<number> {
  await sleep(randomInt(0, 60));
  const token = randomUUID();
  await writeDurably(folder.file('disk/token'), token);
  child.process.kill('SIGSTOP');
  const answered = Number(child.lines.findLast((line) => line.startsWith('ack '))?.slice(4));
  // A name of its own: the kernel detaches the last copy only some time after it was unmounted.
  const copy = folder.file(token);
  assert.equal(run('cp', '--sparse=always', folder.file('image'), copy), undefined);
  child.process.kill('SIGCONT');
  assert.equal(run('mount', '-o', 'loop', copy, folder.file('left')), undefined);
  try {
    assert.equal(readFileSync(folder.file('left/token'), 'utf8'), token);
    const path = folder.file(`left/${name}.db`);
    const store = await openSqlite({ path, checkUpTo: 2 ** 30 });
    const { seq } = await store.head();
    assert.ok(seq >= answered, `event ${answered} was acknowledged, but the log ends at ${seq}`);
    assert.deepEqual(await verifyTables(store, createMemoryTables()), []);
    await store.close();
    return seq;
  } finally {
    assert.equal(run('umount', folder.file('left')), undefined);
    rmSync(copy);
  }
}

function run(command: string, ...args: string[]): string | undefined {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  return status === 0 ? undefined : (error?.message ?? stderr.trim());
}
