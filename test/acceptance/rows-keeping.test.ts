import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'node:test';
import Database from 'better-sqlite3';
import pg from 'pg';
import { SCHEMA, versionOf } from '../../src/adapters/sql/schema-version.ts';
import { STORES } from '../support/acceptance-stores.ts';
import { acknowledgeMuch, everything, isSettled } from '../support/acknowledged-history.ts';
import { EARLIER_HALL, earlierStory, layOutEarlierFolder } from '../support/earlier-hall.ts';
import { HallFixture, type Json, until } from '../support/hall-fixture.ts';
import type { HallProcess } from '../support/hall-process.ts';
import { type Ended, guildhall } from './cli-command.ts';

/** Runs a command on the folder of a hall. */
function on(hall: HallProcess, ...args: readonly string[]): Promise<Ended> {
  return guildhall([...args, '--config', hall.config], { cwd: hall.folder });
}

async function succeeded(ended: Promise<Ended>): Promise<Json> {
  const { code, stdout, stderr } = await ended;
  assert.equal(code, 0, `${stderr}${stdout}`);
  return stdout === '' ? undefined : JSON.parse(stdout);
}

/** Changes the database of a stopped hall directly. */
async function tamper(hall: HallProcess, ...statements: readonly string[]): Promise<void> {
  const { store } = JSON.parse(readFileSync(hall.config, 'utf8')).hall;
  if (store === 'sqlite') {
    const db = new Database(join(hall.folder, 'data', 'hall.db'));
    for (const sql of statements) assert.ok(db.prepare(sql).run().changes > 0, sql);
    db.close();
    return;
  }
  const client = new pg.Client(store);
  await client.connect();
  try {
    for (const sql of statements) assert.ok(((await client.query(sql)).rowCount ?? 0) > 0, sql);
  } finally {
    await client.end();
  }
}

/** A board without what is not part of its history: the time of the query and of the last heartbeats. */
function pastOf({ at: _at, workers, ...board }: Json): Json {
  return { ...board, workers: workers.map(({ last_seen: _seen, ...worker }: Json) => worker) };
}

const TAMPERED: readonly {
  readonly what: string;
  readonly sql: string;
  readonly undo: string;
  readonly says: RegExp;
}[] = [
  {
    what: 'an event whose text was edited',
    sql: `UPDATE event SET body = replace(body, 'Two', 'Zwo') WHERE body LIKE '%"Two"%'`,
    undo: `UPDATE event SET body = replace(body, 'Zwo', 'Two') WHERE body LIKE '%"Zwo"%'`,
    says: /event \d+ does not match its hash/,
  },
  {
    what: 'an event whose actor was edited',
    sql: `UPDATE event SET actor = 'operator:eve' WHERE type = 'TaskPosted'`,
    undo: `UPDATE event SET actor = 'operator:local' WHERE type = 'TaskPosted'`,
    says: /does not match its hash/,
  },
  {
    what: 'an event that was removed from the middle',
    sql: 'UPDATE event SET seq = seq + 1000000 WHERE seq = 3',
    undo: 'UPDATE event SET seq = 3 WHERE seq = 1000003',
    says: /event 3 is missing/,
  },
  {
    what: 'a row of the tables that does not follow from the events',
    sql: `UPDATE task SET title = 'Zwo' WHERE title = 'Two'`,
    undo: `UPDATE task SET title = 'Two' WHERE title = 'Zwo'`,
    says: /task \d+ is .*"Zwo".* in the tables, but .*"Two".* according to the events/,
  },
];

/** Removes the last event, and on PostgreSQL moves the head back too. */
const CUT = ['DELETE FROM event WHERE seq > (SELECT max(seq) - 1 FROM event)'];
const MOVE_HEAD = `UPDATE head SET seq = (SELECT max(seq) FROM event),
  link = (SELECT link FROM event ORDER BY seq DESC LIMIT 1)`;

for (const { store, ...proven } of STORES) {
  describe(`backups, exports and migrations, on ${store}`, () => {
    proven.test(
      'X-013a: a backup made while the hall runs is restored elsewhere, and work continues there',
      async (place) => {
        const hall = await place.start();
        using fixture = new HallFixture(hall);
        const shop = await fixture.project();
        const { worker, claim } = await shop.held({ title: 'held' });
        const file = join(hall.folder, 'hall.backup');
        assert.equal((await succeeded(on(hall, 'backup', file, '--json'))).file, file);
        await shop.post({ title: 'after the backup' });

        const other = await place.create();
        const { era } = await succeeded(on(other, 'restore', file, '--json'));
        assert.ok(era > 0);
        await other.start();
        using there = new HallFixture(other);
        const { tasks } = await there.get('/v1/tasks');
        assert.deepEqual(
          tasks.map(({ title, state }: Json) => [title, state]),
          [['held', 'available']],
        );
        const stale = there.as(worker.token);
        const report = { fence: claim.fence, outcome: 'completed' };
        assert.equal((await stale.post(`/v1/runs/${claim.run}/report`, report)).status, 401);
        const next = await there.worker();
        assert.ok((await next.claimed()).fence > claim.fence + 2 ** 32, 'another era of fences');
        assert.equal((await succeeded(on(other, 'audit', 'verify', '--json'))).ok, true);
      },
    );

    proven.test(
      'X-013b: an export is imported into an empty store as the same history, byte for byte',
      async (place) => {
        const hall = await place.start();
        using fixture = new HallFixture(hall);
        await acknowledgeMuch(fixture);
        const file = join(hall.folder, 'hall.ndjson');
        const { events } = await succeeded(on(hall, 'export', '--output', file, '--json'));
        assert.ok(events > 30);

        const copy = await place.create();
        assert.equal((await succeeded(on(copy, 'import', file, '--json'))).events, events);
        assert.equal((await on(copy, 'export')).stdout, readFileSync(file, 'utf8'));
        const again = await on(copy, 'import', file);
        assert.equal(again.code, 1);
        assert.match(again.stderr, /can be imported only into an empty store/);
      },
    );

    proven.test(
      'X-013c: a database with a newer schema is refused and left unchanged',
      async (place) => {
        const hall = await place.start({ projects: { shop: 1 } });
        await hall.caller().post('/v1/tasks', { project: 'shop', title: 'kept' });
        await hall.stop();
        await tamper(hall, `UPDATE meta SET value = '99' WHERE key = 'schema'`);
        await assert.rejects(
          hall.start(),
          /schema version 99.*start the newer version.*restore a backup/s,
        );
        const back = `UPDATE meta SET value = '${versionOf(SCHEMA)}' WHERE key = 'schema'`;
        await tamper(hall, `${back} AND value = '99'`);
        await hall.start();
        const { body } = await hall.caller().get('/v1/tasks');
        assert.equal(body.tasks[0].title, 'kept');
      },
    );
  });

  if (store === 'SQLite') {
    proven.test(
      'X-013c: on SQLite, a database of an earlier version is copied before it is migrated',
      async (place) => {
        const hall = await place.create(EARLIER_HALL);
        layOutEarlierFolder(join(hall.folder, 'data'), 'sqlite');
        await hall.start();
        const { running } = earlierStory('sqlite');
        const { body } = await hall.caller().get(`/v1/tasks/${running.task}`);
        assert.equal(body.task.title, 'Still running');
        const aside = new Database(join(hall.folder, 'data', 'hall.db.version-2'), {
          readonly: true,
        });
        const titles = aside.prepare('SELECT title FROM task').pluck().all();
        aside.close();
        assert.ok(titles.includes('Still running'));
      },
    );
  }

  describe(`guildhall audit verify, on ${store}`, () => {
    proven.test(
      'X-019: audit verify accepts an intact history, even while the hall runs',
      async (place) => {
        const hall = await place.start();
        using fixture = new HallFixture(hall);
        await acknowledgeMuch(fixture);
        const { ok, events, faults } = await succeeded(on(hall, 'audit', 'verify', '--json'));
        assert.deepEqual([ok, faults], [true, []]);
        assert.equal(events, (await fixture.get('/v1/board')).seq);
      },
    );

    proven.test(
      'X-019: audit verify finds changes made to the database directly, and accepts it once they are undone',
      async (place) => {
        const hall = await place.start({ projects: { shop: 1 } });
        for (const title of ['One', 'Two', 'Three']) {
          await hall.caller().post('/v1/tasks', { project: 'shop', title });
        }
        await hall.stop();
        for (const { what, sql, undo, says } of TAMPERED) {
          await tamper(hall, sql);
          const { code, stdout } = await on(hall, 'audit', 'verify', '--json');
          assert.equal(code, 1, what);
          assert.match(JSON.parse(stdout).faults[0], says);
          await tamper(hall, undo);
        }
        assert.equal((await succeeded(on(hall, 'audit', 'verify', '--json'))).ok, true);
      },
    );

    proven.test(
      'X-019: audit verify finds a log whose end was cut off, and the hall does not start on it',
      async (place) => {
        const hall = await place.start({ projects: { shop: 1 } });
        await hall.caller().post('/v1/tasks', { project: 'shop', title: 'One' });
        await hall.stop();
        await tamper(hall, ...(store === 'SQLite' ? CUT : [...CUT, MOVE_HEAD]));
        const { code, stdout } = await on(hall, 'audit', 'verify');
        assert.equal(code, 1);
        assert.match(
          stdout,
          /the log ends at event \d+, but event \d+ was anchored at .*: its end is missing/,
        );
        await assert.rejects(hall.start(), /is missing/);
      },
    );
  });

  describe(`the board at an earlier time, on ${store}`, () => {
    proven.test(
      'X-020a: the board at an earlier time is what it showed then, over the API and on the command line',
      async (place) => {
        const hall = await place.start();
        using fixture = new HallFixture(hall);
        await isSettled(fixture);
        const moments: Json[] = [];
        const look = async () => {
          const board = await fixture.get('/v1/board');
          moments.push(board);
          await until('what follows is later', () => Date.now() > Date.parse(board.at));
        };
        await look();
        const shop = await fixture.project();
        await look();
        const { worker, claim } = await shop.held();
        await look();
        await worker.complete(claim);
        await look();
        await acknowledgeMuch(fixture);
        await look();
        await hall.stop();
        await hall.start();
        for (const moment of moments) {
          const at = encodeURIComponent(moment.at);
          assert.deepEqual(pastOf(await fixture.get(`/v1/board?at=${at}`)), pastOf(moment));
        }
        const printed = await succeeded(on(hall, 'board', '--at', moments[2].at, '--json'));
        assert.deepEqual(pastOf(printed), pastOf(moments[2]));
      },
    );

    proven.test(
      'X-020b GH-041: the board is the fold of its events, each with its time, actor and cause',
      async (place) => {
        const hall = await place.start();
        using fixture = new HallFixture(hall);
        await acknowledgeMuch(fixture);
        const { ok, rows } = await succeeded(on(hall, 'audit', 'verify', '--json'));
        assert.equal(ok, true, 'every row follows from the events');
        assert.ok(rows > 30);
        const { logs: _transcripts, ...before } = await everything(fixture);
        const file = join(hall.folder, 'events.ndjson');
        await succeeded(on(hall, 'export', '--output', file, '--json'));
        for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
          const { at, actor, cause } = JSON.parse(line);
          assert.ok(at > 0 && actor !== '' && /^\S/.test(cause), line);
        }

        const copy = await place.create();
        await succeeded(on(copy, 'import', file, '--json'));
        await copy.start();
        using there = new HallFixture(copy);
        const { logs: _none, ...after } = await everything(there);
        assert.deepEqual(after, before);
      },
    );
  });
}
