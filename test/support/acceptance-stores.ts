import { readFileSync, writeFileSync } from 'node:fs';
import { after, type TestContext, test } from 'node:test';
import { HallFixture } from './hall-fixture.ts';
import { HallInProcess } from './hall-in-process.ts';
import type { HallProcess, HallProcessOptions } from './hall-process.ts';
import { createDatabase, sharedPostgres, startPostgres } from './postgres.ts';
import { runsInTier } from './tier.ts';

/** Options of a hall in an acceptance test, and further sections of its configuration file. */
export interface HallOptions extends HallProcessOptions {
  readonly more?: Readonly<Record<string, unknown>>;
}

/** Makes halls on one kind of store and removes them after the test. */
export interface Place {
  create(options?: HallOptions): Promise<HallInProcess>;
  start(options?: HallOptions): Promise<HallInProcess>;
  /** In a process of its own, which can be killed. The next start is in this process. */
  startProcess(options?: HallOptions): Promise<HallInProcess>;
  /** An empty database for a hall whose configuration the test writes itself. */
  store(): Promise<string>;
}

/** A hall that the tests of one suite share, started for the first of them and removed after the last. */
export interface SharedHall {
  test(title: string, act: (fixture: HallFixture) => Promise<void>): void;
}

/** One kind of store that the tests run on. */
export interface ProvenStore {
  readonly store: 'SQLite' | 'PostgreSQL';
  sharedHall(options?: HallOptions): SharedHall;
  /** A test with its own halls. */
  test(title: string, act: (place: Place) => Promise<void>): void;
}

const SQLITE = provenStore('SQLite');
const POSTGRES = provenStore('PostgreSQL');

/**
 * For clauses that depend on the store: claims, restarts and kills, the order and hashes of events, history,
 * search, paging, migration, backup, repeated requests.
 */
export const STORES: readonly ProvenStore[] = runsInTier('test') ? [SQLITE, POSTGRES] : [];

/** For clauses that the board decides in memory, whatever the store: on PostgreSQL only in the full tier. */
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

/** PostgreSQL is missing on this machine. */
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

  /** In parallel, because each hall waits a while for open requests. */
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
