import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Contender } from './contender.ts';
import type { Place } from './drivers/driver.ts';
import { startDriver } from './drivers/remote.ts';
import type { Options } from './options.ts';
import type { Progress } from './report/progress.ts';
import { findRedis, type RedisProgram } from './servers/find-redis.ts';
import { type HallProcess, startHall } from './servers/hall.ts';
import { type SharedPostgres, startSharedPostgres } from './servers/postgres.ts';
import { type RedisSync, startRedis } from './servers/redis.ts';
import { prepareStore } from './store/prepare.ts';
import { slotsFor } from './store/workload.ts';

/** Everything that is measured, removed at the end. */
export interface Lab {
  readonly options: Options;
  readonly progress: Progress;
  /** On the disk that all stores are on. */
  readonly folder: string;
  readonly postgres: SharedPostgres | { readonly missing: string };
  readonly redis: RedisProgram | { readonly missing: string };
  /** Our hall in its own process, with its driver. */
  hall(options: OurHallOptions): Promise<Ours>;
  peer(kind: PeerKind, place?: Partial<Place>): Promise<Contender | { readonly missing: string }>;
  /** A folder for one hall. */
  room(): Promise<string>;
  close(): Promise<void>;
}

export interface OurHallOptions extends Partial<Place> {
  readonly inFlight: number;
  /** Omitted: SQLite. */
  readonly store?: string;
  /** A folder with a store that was filled before. */
  readonly folder?: string;
  readonly nodeArguments?: readonly string[];
}

export interface Ours extends Contender {
  readonly hall: HallProcess;
  readonly folder: string;
  readonly slots: number;
  readonly store: string;
  /** Another driver for the same hall, for instance with another client. */
  also(name: string, place: Partial<Place>): Promise<Contender>;
}

export type PeerKind = 'pg-boss' | 'graphile-worker' | 'bullmq always' | 'bullmq everysec';

export async function openLab(options: Options, progress: Progress): Promise<Lab> {
  const folder = await mkdtemp(join(tmpdir(), 'guildhall-bench-'));
  const postgres = await startSharedPostgres();
  const redis = await findRedis();
  let rooms = 0;
  const room = async () => {
    rooms += 1;
    return join(folder, `hall-${rooms}`);
  };
  const lab: Lab = {
    options,
    progress,
    folder,
    postgres,
    redis,
    room,
    hall: async (options) => openOurs(lab, options, options.folder ?? (await room())),
    peer: (kind, place = {}) => openPeer(lab, kind, place),
    async close() {
      if (!('missing' in postgres)) await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return lab;
}

async function openOurs(lab: Lab, options: OurHallOptions, folder: string): Promise<Ours> {
  const { store = 'sqlite', nodeArguments = [], inFlight, folder: filled, ...place } = options;
  const slots = slotsFor(inFlight);
  if (filled === undefined) await prepareStore(folder, store);
  const hall = await startHall({ folder, store, slots, nodeArguments });
  const { postgres } = lab;
  const isOnPostgres = store !== 'sqlite' && !('missing' in postgres);
  const serverPids = () => (isOnPostgres ? [hall.pid, postgres.pid] : [hall.pid]);
  const others: Contender[] = [];
  const drive = async (name: string, more: Partial<Place>): Promise<Contender> => {
    const driver = await startDriver('hall', {
      url: hall.url,
      token: hall.token,
      ...place,
      ...more,
    });
    return { name, driver, serverPids, close: () => driver.close() };
  };
  const own = await drive('ours', {});
  return {
    ...own,
    hall,
    folder,
    slots,
    store,
    async also(name, more) {
      const other = await drive(name, more);
      others.push(other);
      return other;
    },
    async close() {
      for (const other of [...others, own]) await other.close();
      await hall.stop();
    },
  };
}

async function openPeer(lab: Lab, kind: PeerKind, place: Partial<Place>) {
  if (kind === 'bullmq always') return openBullmq(lab, 'always', place);
  if (kind === 'bullmq everysec') return openBullmq(lab, 'everysec', place);
  const { postgres } = lab;
  if ('missing' in postgres) return postgres;
  const database = await postgres.database();
  const driver = await startDriver(kind, { url: database.url, ...place });
  return {
    name: place.prefetch === undefined ? kind : `${kind}, ${place.prefetch} at a time`,
    driver,
    serverPids: () => [postgres.pid],
    async close() {
      await driver.close();
      await database.drop();
    },
  };
}

async function openBullmq({ redis }: Lab, sync: RedisSync, place: Partial<Place>) {
  if ('missing' in redis) return redis;
  const server = await startRedis(redis, sync);
  const driver = await startDriver('bullmq', { url: server.url, ...place });
  return {
    name: `BullMQ, AOF ${sync}`,
    driver,
    serverPids: () => [server.pid],
    async close() {
      await driver.close();
      await server.stop();
    },
  };
}
