import { readFileSync, writeFileSync } from 'node:fs';
import { after, type TestContext, test } from 'node:test';
import { HallFixture } from './hall-fixture.ts';
import { HallInProcess } from './hall-in-process.ts';
import type { HallProcess, HallProcessOptions } from './hall-process.ts';
import { createDatabase, sharedPostgres, startPostgres } from './postgres.ts';
import { runsInTier } from './tier.ts';

/** What a hall of an acceptance test is started with, and what its file says beside that. */
export interface HallOptions extends HallProcessOptions {
  readonly more?: Readonly<Record<string, unknown>>;
}

/** Makes halls on one kind of store; all of them are gone after the test. */
export interface Place {
  create(options?: HallOptions): Promise<HallInProcess>;
  start(options?: HallOptions): Promise<HallInProcess>;
  /** In a process of its own, which can be killed. When it is started again it is in this process. */
  startProcess(options?: HallOptions): Promise<HallInProcess>;
  /** An empty database for a hall whose configuration the test writes itself. */
  store(): Promise<string>;
}

/** A hall that the tests of one suite share: started for the first of them, gone after the last. */
export interface SharedHall {
  test(title: string, act: (fixture: HallFixture) => Promise<void>): void;
}

/** One kind of store on which the product is proved. */
export interface ProvenStore {
  readonly store: 'SQLite' | 'PostgreSQL';
  sharedHall(options?: HallOptions): SharedHall;
  /** A test with halls of its own. */
  test(title: string, act: (place: Place) => Promise<void>): void;
}

const SQLITE = provenStore('SQLite');
const POSTGRES = provenStore('PostgreSQL');

/**
 * For rows that a store could break by itself: who gets a task, what a restart or a kill leaves, the
 * order and the proof of events, the past, searching, paging, migration, backup, repeated requests.
 */
export const STORES: readonly ProvenStore[] = runsInTier('test') ? [SQLITE, POSTGRES] : [];

/** For rows that the board in memory decides, whatever keeps it: on PostgreSQL only in the full tier. */
export const API_STORES: readonly ProvenStore[] = [
  ...(runsInTier('test') ? [SQLITE] : []),
  ...(runsInTier('full') ? [POSTGRES] : []),
];

function provenStore(store: ProvenStore['store']): ProvenStore {
  return {
    store,
    sharedHall: (options) => sharedHall(store, options),
    test(title, act) {
      test(title, async (t) => {
        const place = new OpenPlace(store);
        try {
          await skippable(t, () => act(place));
        } finally {
          await place.close();
        }
      });
    },
  };
}

function sharedHall(store: ProvenStore['store'], options: HallOptions = {}): SharedHall {
  const place = new OpenPlace(store);
  let started: Promise<HallInProcess> | undefined;
  after(() => place.close());
  return {
    test(title, act) {
      test(title, async (t) => {
        await skippable(t, async () => {
          started ??= place.start(options);
          using fixture = new HallFixture(await started);
          await act(fixture);
        });
      });
    },
  };
}

/** There is no PostgreSQL on this machine. */
class NoPostgres extends Error {
  override readonly name = 'NoPostgres';
}

async function skippable(t: TestContext, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof NoPostgres)) throw error;
    t.skip(error.message);
  }
}

interface Database {
  readonly url: string;
  close(): Promise<void>;
}

class OpenPlace implements Place {
  readonly #store: ProvenStore['store'];
  readonly #halls: HallInProcess[] = [];
  readonly #databases: Database[] = [];

  constructor(store: ProvenStore['store']) {
    this.#store = store;
  }

  async store(): Promise<string> {
    if (this.#store === 'SQLite') return 'sqlite';
    const database = await openDatabase();
    this.#databases.push(database);
    return database.url;
  }

  async create({ more, ...options }: HallOptions = {}): Promise<HallInProcess> {
    const store = options.store ?? (await this.store());
    const hall = await HallInProcess.create({ ...options, store });
    this.#halls.push(hall);
    if (more) writeConfig(hall, more);
    return hall;
  }

  async start(options: HallOptions = {}): Promise<HallInProcess> {
    const hall = await this.create(options);
    await hall.start();
    return hall;
  }

  async startProcess(options: HallOptions = {}): Promise<HallInProcess> {
    const hall = await this.create(options);
    await hall.startProcess();
    return hall;
  }

  /** At once, because each one waits a while for requests that are still on their way. */
  async close(): Promise<void> {
    await Promise.all(this.#halls.map((hall) => hall[Symbol.asyncDispose]()));
    for (const database of this.#databases) await database.close();
  }
}

/** Changes sections of a hall's file; it is read at the next start or SIGHUP. */
export function writeConfig(hall: HallProcess, more: Readonly<Record<string, unknown>>): void {
  const before = JSON.parse(readFileSync(hall.config, 'utf8'));
  writeFileSync(hall.config, JSON.stringify({ ...before, ...more }, null, 2));
}

async function openDatabase(): Promise<Database> {
  const shared = sharedPostgres();
  const server = shared ? { url: shared, stop: async () => undefined } : await startPostgres();
  if ('missing' in server) throw new NoPostgres(`no PostgreSQL: ${server.missing}`);
  const { url, drop } = await createDatabase(server.url);
  return {
    url,
    async close() {
      await drop();
      await server.stop();
    },
  };
}
