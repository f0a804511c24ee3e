import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { test } from 'node:test';
import { History } from '../../test/support/history.ts';
import { settleIn } from '../../test/support/story.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { backup } from '../adapters/sqlite/backup.ts';
import { openSqlite } from '../adapters/sqlite/open.ts';
import { createClock } from '../adapters/system/clock.ts';
import { databasePath } from './open-store.ts';
import { restore } from './restore.ts';

const nothing = () => undefined;
const NEEDS = { clock: createClock(), log: { info: nothing, warn: nothing, error: nothing } };

/** Higher than an hour of this century, so that only the log can tell. */
const ERA = 900_000;

test('a restore begins an era after all that the log knows, also when the hall was killed before its tables knew', async () => {
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

  const place = { data: killed.path, store: { kind: 'sqlite' } } as const;
  const { era, aside } = await restore(working.file('copy.db'), place, NEEDS);
  assert.equal(era, ERA + 1);
  assert.equal(aside, `${databasePath(killed.path)}.replaced-1`);
});
