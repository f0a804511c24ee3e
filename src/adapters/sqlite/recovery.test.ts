import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { runScript } from '../../../test/support/child.ts';
import { History } from '../../../test/support/history.ts';
import { dumpOf } from '../../../test/support/opened-store.ts';
import { dice, settleIn, wander } from '../../../test/support/story.ts';
import { type TempFolder, tempFolder } from '../../../test/support/temp-folder.ts';
import { sizeInTier } from '../../../test/support/tier.ts';
import { verifyTables } from '../../../test/support/verify-tables.ts';
import { createMemoryTables } from '../memory/tables.ts';
import { restoreInto } from './backup.ts';
import { openReader, openWriter } from './connection.ts';
import { messageOf } from './fault.ts';
import { checkChain, checkFile } from './integrity.ts';
import { openSqlite } from './open.ts';
import { openSnapshot } from './snapshot.ts';

const GROUPS = 40;
const CUTS = sizeInTier({ test: 40, full: 100 });
const FLIPS = sizeInTier({ test: 30, full: 100 });

/** The files of a hall that was killed after it had answered for some groups. */
async function killedHall(folder: TempFolder) {
  const path = folder.file('killed.db');
  using child = runScript('./sqlite-writer.ts', [path, String(GROUPS)]);
  await child.said('written');
  child.process.kill('SIGKILL');
  await child.ended();
  const answered = child.lines
    .filter((line) => line.startsWith('ack '))
    .map((line) => Number(line.slice(4)));
  return { db: readFileSync(path), wal: readFileSync(`${path}-wal`), answered };
}

function put(path: string, files: { db: Buffer; wal?: Buffer; shm?: Buffer }): void {
  for (const part of ['', '-wal', '-shm']) rmSync(path + part, { force: true });
  writeFileSync(path, files.db);
  if (files.wal) writeFileSync(`${path}-wal`, files.wal);
  if (files.shm) writeFileSync(`${path}-shm`, files.shm);
}

/** Everything the store says, and everything that is wrong with it. */
async function inspect(path: string) {
  const store = await openSqlite({ path, checkUpTo: 2 ** 30 });
  try {
    return {
      head: await store.head(),
      faults: await verifyTables(store, createMemoryTables()),
    };
  } finally {
    await store.close();
  }
}

describe('after a crash', () => {
  test('a truncated write-ahead log recovers to the last complete commit', async () => {
    using folder = tempFolder();
    const killed = await killedHall(folder);
    const path = folder.file('hall.db');
    const roll = dice(1);
    const seen = new Set<number>();
    for (let cut = 0; cut < CUTS; cut += 1) {
      const kept = cut === 0 ? killed.wal.length : Math.floor(roll() * killed.wal.length);
      put(path, { db: killed.db, wal: killed.wal.subarray(0, kept) });
      const { head, faults } = await inspect(path);
      assert.deepEqual(faults, [], `${kept} bytes kept`);
      assert.equal([0, ...killed.answered].includes(head.seq), true, `${kept} bytes, ${head.seq}`);
      if (cut === 0) assert.equal(head.seq, killed.answered.at(-1));
      seen.add(head.seq);
    }
    assert.equal(seen.size > GROUPS / 3, true, 'the cuts met too few commits');
  });

  test('a write-ahead log with a corrupt end recovers to the last complete commit', async () => {
    using folder = tempFolder();
    const killed = await killedHall(folder);
    const path = folder.file('hall.db');
    const roll = dice(2);
    for (let n = 0; n < 25; n += 1) {
      const wal = Buffer.from(killed.wal);
      const from = Math.floor(roll() * wal.length);
      for (let at = from; at < wal.length; at += 1) wal[at] = Math.floor(roll() * 256);
      put(path, { db: killed.db, wal });
      const { head, faults } = await inspect(path);
      assert.deepEqual(faults, []);
      assert.equal([0, ...killed.answered].includes(head.seq), true);
    }
  });

  test('a lost or corrupt shared memory file is rebuilt', async () => {
    using folder = tempFolder();
    const killed = await killedHall(folder);
    const path = folder.file('hall.db');
    const roll = dice(3);
    const rubbish = Buffer.from(Array.from({ length: 32_768 }, () => Math.floor(roll() * 256)));
    for (const shm of [undefined, Buffer.alloc(0), Buffer.alloc(32_768), rubbish]) {
      put(path, { ...killed, ...(shm && { shm }) });
      const { head, faults } = await inspect(path);
      assert.deepEqual([head.seq, faults], [killed.answered.at(-1), []]);
    }
  });

  test('a write-ahead log of another database is refused', async () => {
    using folder = tempFolder();
    const killed = await killedHall(folder);
    const path = folder.file('hall.db');
    const store = await openSqlite({ path, checkUpTo: 0 });
    const history = settleIn(new History());
    const roll = dice(9);
    for (let n = 0; n < 300; n += 1) wander(history, roll);
    await history.commit(store);
    await store.close();
    const other = readFileSync(path);
    for (const part of [1, 0.7, 0.3]) {
      const wal = killed.wal.subarray(0, Math.floor(killed.wal.length * part));
      put(path, { db: other, wal });
      await assert.rejects(inspect(path), {
        name: 'DatabaseDamaged',
        message: /the write-ahead log beside it belongs to another database/,
      });
      assert.deepEqual([readFileSync(path), readFileSync(`${path}-wal`)], [other, wal]);
    }
    put(path, { db: other });
    assert.deepEqual((await inspect(path)).faults, []);
  });
});

describe('a flipped bit', () => {
  test('a flipped bit is found by a check or changes nothing that is read', async () => {
    using folder = tempFolder();
    const path = folder.file('hall.db');
    const store = await openSqlite({ path, checkUpTo: 0 });
    const history = settleIn(new History());
    const roll = dice(4);
    for (let n = 0; n < 400; n += 1) wander(history, roll);
    await history.commit(store);
    const sound = { dump: await dumpOf(store), sealed: await store.sealed(0, 10_000) };
    await store.close();
    const file = readFileSync(path);
    let found = 0;
    for (let n = 0; n < FLIPS; n += 1) {
      const bytes = Buffer.from(file);
      const at = Math.floor(roll() * bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(roll() * 8));
      put(path, { db: bytes });
      const faults = await everyCheck(path);
      if (faults.length > 0) found += 1;
      else assert.deepEqual(await readAll(path), sound, `bit at byte ${at}`);
    }
    assert.equal(found > FLIPS / 5, true, `only ${found} of the flips were found`);
  });
});

async function readAll(path: string) {
  const reads = openSnapshot(path);
  try {
    return { dump: await dumpOf(reads), sealed: await reads.sealed(0, 10_000) };
  } finally {
    reads.close();
  }
}

function pagesOf(path: string): readonly string[] {
  try {
    const db = openReader(path);
    const found = String(db.pragma('integrity_check', { simple: true }));
    db.close();
    return found === 'ok' ? [] : [found];
  } catch (error) {
    return [messageOf(error)];
  }
}

/** What `audit verify` looks at: the pages, the chain, and the tables against the fold. */
async function everyCheck(path: string): Promise<readonly string[]> {
  const pages = pagesOf(path);
  if (pages.length > 0) return pages;
  try {
    const reads = openSnapshot(path);
    try {
      const broken = await checkChain(reads);
      return broken ? [broken] : await verifyTables(reads, createMemoryTables());
    } finally {
      reads.close();
    }
  } catch (error) {
    return [messageOf(error)];
  }
}

test('tables behind the log are valid and are folded to its end at the next start', async () => {
  using folder = tempFolder();
  const path = folder.file('hall.db');
  using other = tempFolder();
  const copy = other.file('hall.db');
  const store = await openSqlite({ path, checkUpTo: 0 });
  const history = settleIn(new History());
  await history.commit(store);
  const folded = await store.foldedTo();
  const roll = dice(7);
  for (let n = 0; n < 200; n += 1) wander(history, roll);
  const { seq } = await history.commit(store);
  for (const part of ['', '-wal']) copyFileSync(path + part, copy + part);

  const snapshot = openSnapshot(copy);
  assert.equal(await snapshot.foldedTo(), folded);
  assert.equal((await snapshot.head()).seq, seq);
  snapshot.close();
  assert.deepEqual(await everyCheck(copy), []);

  const again = await openSqlite({ path: copy, checkUpTo: 0 });
  assert.deepEqual(await dumpOf(again), await dumpOf(store));
  await again.close();
  const after = openSnapshot(copy);
  assert.equal(await after.foldedTo(), seq);
  after.close();
  await store.close();
});

/** A database with a long past whose mark says that its tables are folded up to another event. */
async function markedAt(path: string, mark: (seq: number) => string) {
  const store = await openSqlite({ path, checkUpTo: 0 });
  const history = settleIn(new History());
  const roll = dice(9);
  for (let n = 0; n < 300; n += 1) wander(history, roll);
  const { seq } = await history.commit(store);
  const dump = await dumpOf(store);
  await store.close();
  const db = openWriter(path);
  const notes = db.prepare<[], number>('SELECT count(*) FROM note').pluck().get();
  db.prepare("UPDATE meta SET value = ? WHERE key = 'folded'").run(mark(seq));
  db.close();
  return { seq, dump, notes: notes ?? 0 };
}

test('tables past their fold mark are folded again to the same content', async () => {
  for (const back of [1, 10, 100, 300]) {
    using folder = tempFolder();
    const path = folder.file('hall.db');
    const { dump, notes } = await markedAt(path, (seq) => String(Math.max(0, seq - back)));
    assert.ok(notes > 0);
    const again = await openSqlite({ path, checkUpTo: 0 });
    assert.deepEqual(await dumpOf(again), dump, `${back} events`);
    await again.close();
  }
});

test('a database whose fold mark is past the end of the log or not a number counts as damaged, and is neither started nor restored', async () => {
  for (const [mark, pattern] of [
    [(seq: number) => String(seq + 1), /folded up to event \d+, but the log ends at event \d+/],
    [() => 'soon', /its fold mark is not a number/],
  ] as const) {
    using folder = tempFolder();
    const path = folder.file('hall.db');
    await markedAt(path, mark);
    const refusal = { name: 'DatabaseDamaged', message: pattern };
    await assert.rejects(openSqlite({ path, checkUpTo: 0 }), refusal);
    await assert.rejects(restoreInto(folder.file('other.db'), path), refusal);
    const [fault = ''] = await checkFile(path);
    assert.match(fault, pattern);
  }
});

test('many pending rows are written to the tables before a read needs them', async () => {
  using folder = tempFolder();
  const path = folder.file('hall.db');
  const store = await openSqlite({ path, checkUpTo: 0 });
  const history = settleIn(new History());
  const roll = dice(8);
  for (let n = 0; n < 40; n += 1) {
    for (let events = 0; events < 100; events += 1) wander(history, roll);
    await history.commit(store);
  }
  const snapshot = openSnapshot(path);
  assert.equal((await snapshot.foldedTo()) > 0, true);
  snapshot.close();
  assert.deepEqual(await everyCheck(path), []);
  await store.close();
});

test('a database file copied while the hall runs matches some commit or fails a check', async () => {
  using folder = tempFolder();
  const path = folder.file('hall.db');
  const copy = folder.file('copy.db');
  const store = await openSqlite({ path, checkUpTo: 0 });
  const history = settleIn(new History());
  const roll = dice(6);
  const heads = [0];
  for (let n = 0; n < 60; n += 1) {
    for (let events = 0; events < 10; events += 1) wander(history, roll);
    heads.push((await history.commit(store)).seq);
    if (n % 6 !== 0) continue;
    for (const part of ['', '-wal', '-shm']) {
      rmSync(copy + part, { force: true });
      if (part !== '-shm' && existsSync(path + part)) copyFileSync(path + part, copy + part);
    }
    rmSync(folder.file('hall.pid'), { force: true });
    const found = await everyCheck(copy);
    if (found.length === 0) {
      const reads = openSnapshot(copy);
      assert.equal(heads.includes((await reads.head()).seq), true);
      reads.close();
    }
  }
  await store.close();
});
