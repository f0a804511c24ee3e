import assert from 'node:assert/strict';
import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { test } from 'node:test';
import { History } from '../../test/support/history.ts';
import { settleIn } from '../../test/support/story.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { backup } from '../adapters/sqlite/backup.ts';
import { openSqlite } from '../adapters/sqlite/open.ts';
import { createClock } from '../adapters/system/clock.ts';
import { writeAnchor } from './anchors.ts';
import { databasePath } from './open-store.ts';
import { restore } from './restore.ts';
import { verify } from './verify-log.ts';

const nothing = () => undefined;
const NEEDS = { clock: createClock(), log: { info: nothing, warn: nothing, error: nothing } };

const NO_KEY = { kind: 'file', path: 'no-such.key' } as const;

/** Higher than any era derived from the clock in this century, so it can only come from the log. */
const ERA = 900_000;

test('a restore begins an era later than every era in the log, even if the hall was killed before it updated its tables', async () => {
  using working = tempFolder();
  using killed = tempFolder();
  const path = databasePath(working.path);
  const store = await openSqlite({ path, checkUpTo: 0 });
  const history = settleIn(new History());
  await history.commit(store);
  await backup(path, working.file('copy.db'));
  const hall = { ...history.board.hall, era: ERA };
  await history.record({ type: 'HallRestored', hall }).commit(store);
  for (const part of ['', '-wal']) copyFileSync(path + part, databasePath(killed.path) + part);
  await store.close();

  const place = { data: killed.path, store: { kind: 'sqlite' }, secretsKey: NO_KEY } as const;
  const { era, aside } = await restore(working.file('copy.db'), place, NEEDS);
  assert.equal(era, ERA + 1);
  assert.equal(aside, `${databasePath(killed.path)}.replaced-1`);
});

/** Writes a log of two commits, each anchored, with a backup in between. Returns where the first commit ended. */
async function anchoredLog(folder: string, copy: string, project: string): Promise<number> {
  const path = databasePath(folder);
  const store = await openSqlite({ path, checkUpTo: 0 });
  const history = settleIn(new History());
  const first = await history.commit(store);
  await writeAnchor(folder, first, { at: 0 });
  await backup(path, copy);
  const last = await history.project(project).project(`${project}-too`).commit(store);
  await writeAnchor(folder, last, { at: 1 });
  await store.close();
  return first.seq;
}

test('the database that a restore put aside can itself be restored, and its log is intact', async () => {
  using folder = tempFolder();
  const place = { data: folder.path, store: { kind: 'sqlite' }, secretsKey: NO_KEY } as const;
  const shared = await anchoredLog(folder.path, folder.file('copy.db'), 'tea');

  const early = await restore(folder.file('copy.db'), place, NEEDS);
  assert.equal(early.partsAfter, null, 'an earlier part of the same log');
  assert.deepEqual((await verify(place, NEEDS, nothing)).faults, []);

  const undone = await restore(early.aside ?? '', place, NEEDS);
  assert.equal(undone.partsAfter, shared, 'the logs differ after the first restore');
  const { faults, anchors } = await verify(place, NEEDS, nothing);
  assert.deepEqual(faults, []);
  assert.equal(anchors, 2, 'what both have in common stays anchored');
});

test('a backup of another hall is refused, and restored by force', async () => {
  using folder = tempFolder();
  using other = tempFolder();
  await anchoredLog(folder.path, folder.file('copy.db'), 'tea');
  const store = await openSqlite({ path: databasePath(other.path), checkUpTo: 0 });
  await settleIn(new History().project('coffee')).commit(store);
  await backup(databasePath(other.path), other.file('copy.db'));
  await store.close();

  const place = { data: folder.path, store: { kind: 'sqlite' }, secretsKey: NO_KEY } as const;
  const both = new RegExp(
    `${other.file('copy.db')} is a backup of another hall \\(\\d+ events, since 2025.*\\), not of the one in ${folder.path} `,
  );
  await assert.rejects(restore(other.file('copy.db'), place, NEEDS), both);
  assert.deepEqual((await verify(place, NEEDS, nothing)).faults, [], 'nothing was changed');

  const { partsAfter, aside } = await restore(other.file('copy.db'), place, {
    ...NEEDS,
    force: true,
  });
  assert.equal(partsAfter, 0);
  assert.ok(aside !== null && existsSync(aside), 'the replaced database is kept');
  assert.deepEqual((await verify(place, NEEDS, nothing)).faults, []);
});

test('a backup of another hall is refused where the database is lost and only its anchors are left', async () => {
  using folder = tempFolder();
  using other = tempFolder();
  await anchoredLog(folder.path, folder.file('copy.db'), 'tea');
  const store = await openSqlite({ path: databasePath(other.path), checkUpTo: 0 });
  await settleIn(new History().project('coffee')).commit(store);
  await backup(databasePath(other.path), other.file('copy.db'));
  await store.close();
  for (const part of ['', '-wal', '-shm'])
    rmSync(databasePath(folder.path) + part, { force: true });

  const place = { data: folder.path, store: { kind: 'sqlite' }, secretsKey: NO_KEY } as const;
  await assert.rejects(
    restore(other.file('copy.db'), place, NEEDS),
    /another hall .*\(anchored at event \d+/,
  );
  assert.equal((await restore(folder.file('copy.db'), place, NEEDS)).partsAfter, null);
});
