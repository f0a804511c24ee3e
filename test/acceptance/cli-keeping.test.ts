import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import Database from 'better-sqlite3';
import { HallInProcess } from '../support/hall-in-process.ts';
import { withPostgres } from '../support/postgres-part.ts';
import { type Ended, guildhall } from './cli-command.ts';

/** Runs a command on the folder of a hall. */
function on(hall: HallInProcess, ...args: string[]): Promise<Ended> {
  return guildhall([...args, '--config', hall.config], { cwd: hall.folder });
}

/** Posts the tasks in one commit and returns the id of the last. */
async function post(hall: HallInProcess, ...titles: readonly string[]): Promise<string> {
  const tasks = titles.map((title) => ({ project: 'shop', title }));
  const { status, body } = await hall.caller().post('/v1/tasks', tasks);
  assert.equal(status, 201);
  return body.tasks.at(-1).id;
}

async function titles(hall: HallInProcess): Promise<readonly string[]> {
  const { body } = await hall.caller().get('/v1/tasks');
  return body.tasks.map((task: { title: string }) => task.title).toReversed();
}

function database(hall: HallInProcess): string {
  return join(hall.folder, 'data', 'hall.db');
}

/** Changes the database of a stopped hall directly. */
function tamper(hall: HallInProcess, sql: string): void {
  const db = new Database(database(hall));
  assert.ok(db.prepare(sql).run().changes > 0, sql);
  db.close();
}

describe('backup and restore', () => {
  test('X-013a: a backup made while the hall runs is restored, and the replaced database is kept', async () => {
    await using hall = await HallInProcess.start({ projects: { shop: 5 } });
    await post(hall, 'Before');
    const backup = join(hall.folder, 'hall.backup');
    const made = await on(hall, 'backup', backup);
    assert.equal(made.code, 0, made.stderr);
    assert.equal(statSync(backup).mode & 0o777, 0o600, 'nobody else reads it');
    await post(hall, 'After');

    const early = await on(hall, 'restore', backup);
    assert.equal(early.code, 1);
    assert.match(
      early.stderr,
      /in use by a running hall .*: stop it first with: .* stop --config /,
    );
    assert.deepEqual(await titles(hall), ['Before', 'After']);

    await hall.stop();
    const restored = await on(hall, 'restore', backup);
    assert.equal(restored.code, 0, restored.stderr);
    const [, aside = ''] = /the previous database is kept as (.*)/.exec(restored.stderr) ?? [];
    assert.ok(existsSync(aside), restored.stderr);
    await hall.start();
    assert.deepEqual(await titles(hall), ['Before']);
    const audit = await on(hall, 'audit', 'verify');
    assert.equal(audit.code, 0, audit.stdout);
  });

  test('X-013a X-015a: after a restore, earlier workers are refused and fences belong to a new era', async () => {
    await using hall = await HallInProcess.start({ projects: { shop: 5 } });
    const task = await post(hall, 'Held');
    const caller = hall.caller();
    const worker = await caller.post('/v1/workers', {
      instance: 'dev-default',
      brings_model: true,
    });
    const mine = caller.as(worker.body.token);
    const before = await mine.post('/v1/claims', { worker: worker.body.id });
    assert.equal(before.status, 200);
    const backup = join(hall.folder, 'hall.backup');
    await on(hall, 'backup', backup);
    await hall.stop();
    await on(hall, 'restore', backup);
    await hall.start();

    const report = { fence: before.body.fence, outcome: 'completed', summary: 'from the past' };
    const late = await mine.post(`/v1/runs/${before.body.run}/report`, report);
    assert.equal(late.status, 401, 'its token opens nothing any more');
    const { body: shown } = await hall.caller().get(`/v1/tasks/${task}`);
    assert.equal(shown.task.state, 'available');
    assert.equal(shown.runs[0].ending.how, 'released');

    const next = await hall
      .caller()
      .post('/v1/workers', { instance: 'dev-default', brings_model: true });
    const claimed = await caller.as(next.body.token).post('/v1/claims', { worker: next.body.id });
    assert.equal(claimed.body.task.id, task);
    assert.ok(claimed.body.fence > before.body.fence);
    assert.ok(claimed.body.fence - before.body.fence > 2 ** 32, 'another era, not another number');
    caller.close();
    mine.close();
  });

  test('X-013a: two restores of one backup start different eras', async () => {
    await using hall = await HallInProcess.start({ projects: { shop: 5 } });
    await post(hall, 'Again');
    const backup = join(hall.folder, 'hall.backup');
    await on(hall, 'backup', backup);
    await hall.stop();
    const first = JSON.parse((await on(hall, 'restore', backup, '--json')).stdout);
    const second = JSON.parse((await on(hall, 'restore', backup, '--json')).stdout);
    assert.equal(first.from, second.from);
    assert.ok(second.era > first.era);
  });

  test('restore refuses a file that is not a backup, names it and keeps the database', async () => {
    await using hall = await HallInProcess.start({ projects: { shop: 5 } });
    await post(hall, 'Kept');
    await hall.stop();
    const file = join(hall.folder, 'nonsense');
    const foreign = join(hall.folder, 'foreign.db');
    new Database(foreign).exec('CREATE TABLE a (b)').close();
    const neither = /nonsense is neither a backup nor an export of a hall; nothing was changed/;
    for (const [text, path, expected] of [
      ['SQLite format 3\0 and then nothing', file, /nonsense cannot be restored; nothing was/],
      ['nothing of ours\n', file, neither],
      ['', file, neither],
      ['', foreign, /foreign\.db is not the database of a hall/],
      ['', hall.folder, /is neither a backup nor an export/],
    ] as const) {
      writeFileSync(file, text);
      const { code, stderr } = await on(hall, 'restore', path);
      assert.equal(code, 1);
      assert.match(stderr, expected);
    }
    await hall.start();
    assert.deepEqual(await titles(hall), ['Kept']);
  });

  test('X-013a: restore replaces a database that can no longer be read, and keeps it under another name', async () => {
    await using hall = await HallInProcess.start({ projects: { shop: 5 } });
    await post(hall, 'Before');
    const backup = join(hall.folder, 'hall.backup');
    await on(hall, 'backup', backup);
    const eras: number[] = [];
    for (const damage of ['once', 'and again']) {
      await hall.stop();
      writeFileSync(database(hall), damage);
      const restored = await on(hall, 'restore', backup, '--json');
      assert.equal(restored.code, 0, restored.stderr);
      const { era, aside } = JSON.parse(restored.stdout);
      assert.equal(readFileSync(aside, 'utf8'), damage);
      eras.push(era);
      await hall.start();
      assert.deepEqual(await titles(hall), ['Before']);
    }
    assert.ok((eras[1] ?? 0) > (eras[0] ?? 0), 'fences of the two never meet');
  });

  test('restore refuses to put an export into a database with events, and names the option for another folder', async () => {
    await using hall = await HallInProcess.start({ projects: { shop: 5 } });
    await post(hall, 'Kept');
    const file = join(hall.folder, 'hall.ndjson');
    await on(hall, 'export', '--output', file);
    await hall.stop();
    const { code, stderr } = await on(hall, 'restore', file);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /data already holds \d+ events, and an export can be restored only into an empty one: .* --data/,
    );
    const other = join(hall.folder, 'other');
    assert.equal((await on(hall, 'restore', file, '--data', other)).code, 0);
  });
});

describe('export and import', () => {
  test('X-013b: an exported and imported history has the same events, board and audit result', async () => {
    await using hall = await HallInProcess.start({ projects: { shop: 5 } });
    for (const title of ['One', 'Two', 'Three']) await post(hall, title);
    const file = join(hall.folder, 'hall.ndjson');
    assert.equal((await on(hall, 'export', '--output', file)).code, 0);
    await hall.stop();

    await using copy = await HallInProcess.create({ projects: { shop: 5 } });
    const imported = await on(copy, 'import', file);
    assert.equal(imported.code, 0, imported.stderr);
    assert.equal((await on(copy, 'export')).stdout, readFileSync(file, 'utf8'));
    assert.equal((await on(copy, 'audit', 'verify')).code, 0);
    await copy.start();
    assert.deepEqual(await titles(copy), ['One', 'Two', 'Three']);

    await copy.stop();
    const twice = await on(copy, 'import', file);
    assert.equal(twice.code, 1);
    assert.match(twice.stderr, /can be imported only into an empty store/);
  });

  test('X-019: import refuses an export that was changed or cut, and names the event or line', async () => {
    await using hall = await HallInProcess.start({ projects: { shop: 5 } });
    const task = await post(hall, 'Honest', 'Other');
    const { stdout } = await on(hall, 'export');
    const lines = stdout.trimEnd().split('\n');
    const seq = Number(task.slice(2));
    const cases = [
      [stdout.replaceAll('Honest', 'Forged'), /does not match its hash/],
      [lines.toSpliced(seq - 2, 1).join('\n'), new RegExp(`event ${seq - 1} is missing`)],
      [lines.slice(0, seq - 1).join('\n'), /ends in the middle of a commit/],
      ['not an event\n', /line 1 is not an event/],
    ] as const;
    for (const [text, expected] of cases) {
      await using copy = await HallInProcess.create();
      const file = join(copy.folder, 'changed.ndjson');
      writeFileSync(file, text);
      const refused = await on(copy, 'import', file);
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, expected);
    }
  });

  test('X-013a X-013b: a history moves from SQLite to PostgreSQL, is verified, backed up and restored to SQLite', async (t) => {
    await withPostgres(t, async (store) => {
      await using hall = await HallInProcess.start({ projects: { shop: 5 } });
      for (const title of ['One', 'Two']) await post(hall, title);
      const file = join(hall.folder, 'hall.ndjson');
      await on(hall, 'export', '--output', file);
      await hall.stop();

      await using moved = await HallInProcess.create({ projects: { shop: 5 }, store });
      const imported = await on(moved, 'import', file);
      assert.equal(imported.code, 0, imported.stderr);
      assert.equal((await on(moved, 'export')).stdout, readFileSync(file, 'utf8'));
      await moved.start();
      assert.deepEqual(await titles(moved), ['One', 'Two']);
      const audit = await on(moved, 'audit', 'verify');
      assert.equal(audit.code, 0, audit.stdout);
      const backup = join(moved.folder, 'pg.ndjson');
      assert.equal((await on(moved, 'backup', backup)).code, 0);

      await using back = await HallInProcess.create({ projects: { shop: 5 } });
      const restored = await on(back, 'restore', backup);
      assert.equal(restored.code, 0, restored.stderr);
      await back.start();
      assert.deepEqual(await titles(back), ['One', 'Two']);
    });
  });
});

describe('guildhall audit verify', () => {
  let hall: HallInProcess;
  before(async () => {
    hall = await HallInProcess.start({ projects: { shop: 5 } });
    for (const title of ['One', 'Two', 'Three']) await post(hall, title);
    await hall.stop();
    copyFileSync(database(hall), `${database(hall)}.sound`);
  });
  after(() => hall[Symbol.asyncDispose]());

  const TAMPERED: Readonly<Record<string, readonly [sql: string, says: RegExp]>> = {
    'an event that was edited': [
      `UPDATE event SET body = replace(body, 'Two', 'Zwo') WHERE type = 'TaskPosted' AND body LIKE '%Two%'`,
      /event \d+ does not match its hash/,
    ],
    'an actor that was edited': [
      `UPDATE event SET actor = 'operator:eve' WHERE type = 'TaskPosted'`,
      /does not match its hash/,
    ],
    'an event that was taken out of the middle': [
      `DELETE FROM event WHERE seq = 3`,
      /event 3 is missing/,
    ],
    'an end that was cut off': [
      `DELETE FROM event WHERE seq >= (SELECT max(seq) FROM event WHERE type = 'TaskPosted')`,
      /the log ends at event \d+, but event \d+ was anchored at .*: its end is missing/,
    ],
    'a row of a table that was edited': [
      `UPDATE task SET title = 'Zwo' WHERE title = 'Two'`,
      /task \d+ is .*"Zwo".* in the tables, but .*"Two".* according to the events/,
    ],
    'a row of a table that was removed': [
      `DELETE FROM task WHERE title = 'Two'`,
      /task \d+ is missing/,
    ],
  };

  for (const [title, [sql, expected]] of Object.entries(TAMPERED)) {
    test(`X-019: audit verify finds ${title}, prints the first difference and fails`, async () => {
      copyFileSync(`${database(hall)}.sound`, database(hall));
      tamper(hall, sql);
      const { code, stdout } = await on(hall, 'audit', 'verify', '--json');
      const { ok, faults } = JSON.parse(stdout);
      assert.deepEqual([code, ok], [1, false]);
      assert.match(faults[0], expected);
    });
  }

  test('X-019: audit verify prints one line for an intact history, and the difference for a changed one', async () => {
    copyFileSync(`${database(hall)}.sound`, database(hall));
    const sound = await on(hall, 'audit', 'verify');
    assert.equal(sound.code, 0);
    assert.match(
      sound.stdout,
      /^the event log is intact: \d+ events in one chain; \d+ anchors? and \d+ board rows match\n$/,
    );
    tamper(hall, `UPDATE task SET title = 'Zwo' WHERE title = 'Two'`);
    const edited = await on(hall, 'audit', 'verify');
    assert.equal(edited.code, 1);
    assert.match(
      edited.stdout,
      /^task \d+ is .*Zwo.* in the tables, but .*Two.* according to the events\n$/,
    );
  });

  test('X-020b: after work on a hall, every row of its tables is the fold of its events', async () => {
    await using worked = await HallInProcess.start({ projects: { shop: 5 } });
    const caller = worked.caller();
    const task = await post(worked, 'Worked on');
    await post(worked, 'Waits');
    const worker = await caller.post('/v1/workers', {
      instance: 'dev-default',
      brings_model: true,
    });
    const mine = caller.as(worker.body.token);
    const { body: claim } = await mine.post('/v1/claims', { worker: worker.body.id });
    await mine.post(`/v1/runs/${claim.run}/start`, { fence: claim.fence });
    const report = { fence: claim.fence, outcome: 'completed', summary: 'done' };
    assert.equal((await mine.post(`/v1/runs/${claim.run}/report`, report)).status, 200);
    await caller.post(`/v1/tasks/${task}/reopen`);
    caller.close();
    mine.close();
    const { code, stdout } = await on(worked, 'audit', 'verify', '--json');
    const { ok, events, rows } = JSON.parse(stdout);
    assert.deepEqual([code, ok], [0, true]);
    assert.ok(events > 10 && rows > 10);
  });
});
