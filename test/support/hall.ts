import assert from 'node:assert/strict';
import { join } from 'node:path';
import { createMemoryStore } from '../../src/adapters/memory/store.ts';
import { createPrometheus } from '../../src/adapters/metrics/prometheus.ts';
import { openPostgres } from '../../src/adapters/postgres/open.ts';
import { createShell } from '../../src/adapters/shell/shell.ts';
import { openSqlite } from '../../src/adapters/sqlite/open.ts';
import { createClock } from '../../src/adapters/system/clock.ts';
import { type Client, createClient } from '../../src/api/client.ts';
import { openClusteredHall } from '../../src/board/clustered-hall.ts';
import { type Hall, openHall } from '../../src/board/hall.ts';
import type { KnownSecrets } from '../../src/board/known-secrets.ts';
import type { SecretStore } from '../../src/board/secret-store.ts';
import type { Declaration } from '../../src/domain/apply-config.ts';
import type { ProjectSettings } from '../../src/domain/project.ts';
import type { InvokerSettings } from '../../src/domain/quota.ts';
import { type AppNeeds, createApp } from '../../src/http/app.ts';
import type { Auth } from '../../src/http/authenticate.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Leadership } from '../../src/ports/leadership.ts';
import type { Facts, Log } from '../../src/ports/log.ts';
import { type Models, ModelUnreachable } from '../../src/ports/model.ts';
import type { Store } from '../../src/ports/store.ts';
import type { Machine } from '../../src/queries/health.ts';
import { SETTINGS, TYPE_SETTINGS } from './board-fixture.ts';
import { Caller } from './caller.ts';
import { checked } from './conforming.ts';
import { PROMPT_FILES, sessionsInMemory } from './prompt-files.ts';
import { tempFolder } from './temp-folder.ts';
import { openTestSecrets } from './test-secrets.ts';

export const OPERATOR = 'the-operator-of-this-test-hall';

export interface HallOptions {
  readonly store?: 'memory' | 'sqlite' | { readonly postgres: string } | { readonly made: Store };
  readonly auth?: Auth;
  readonly projects?: Readonly<Record<string, Partial<ProjectSettings>>>;
  readonly invokers?: Readonly<Record<string, InvokerSettings>>;
  readonly clock?: Clock;
  readonly leaseSeconds?: number;
  readonly approvalSeconds?: number;
  /** The interval of the chores; very long, so that only what the test does happens. */
  readonly tickSeconds?: number;
  readonly app?: Partial<AppNeeds>;
  /** A board that is already open, as another node sees it. */
  readonly hall?: Hall;
}

export interface RunningHall extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly token: string;
  readonly hall: Hall;
  readonly client: Client;
  readonly caller: Caller;
  /** What was logged as an error. */
  readonly errors: readonly Facts[];
  readonly known: KnownSecrets;
  readonly secretStore: SecretStore;
  /** Breaks every connection. */
  cut(): void;
  as(token: string | null): Caller;
  worker(options?: object): Promise<RunningWorker>;
  post(tasks?: object | readonly object[]): Promise<readonly string[]>;
}

export interface RunningWorker {
  readonly id: string;
  readonly token: string;
  readonly caller: Caller;
}

/** A hall in this process, on its own port, with the project `shop` unless others are given. */
export async function startHall(options: HallOptions = {}): Promise<RunningHall> {
  const errors: Facts[] = [];
  const log = silentLog(errors);
  const clock = options.clock ?? createClock();
  const { hall, close: closeHall } = await openOrTake(options, clock, log);
  const { close: closeSecrets, ...secrets } = await openTestSecrets(hall, log);
  const app = createApp({
    hall,
    auth: { mode: 'local', token: OPERATOR },
    address: { host: '127.0.0.1', port: 0, publicUrl: null, moreHosts: [] },
    heartbeat: hall.times.lease / 2,
    log,
    metrics: createPrometheus(),
    shell: createShell(),
    ...FIXED,
    promptFiles: PROMPT_FILES,
    sessions: sessionsInMemory(),
    models: NO_MODELS,
    secrets: () => [OPERATOR, ...secrets.known.values()],
    ...secrets,
    ...NO_FORGE,
    ...(options.auth && { auth: options.auth }),
    ...options.app,
  });
  const { url, port, close, cut } = await app.listen();
  const callers: Caller[] = [];
  const as = (token: string | null) => {
    const caller = checked(new Caller(url, token));
    callers.push(caller);
    return caller;
  };
  const caller = as(OPERATOR);
  return {
    url,
    port,
    token: OPERATOR,
    hall,
    client: createClient({ url, token: OPERATOR }),
    caller,
    errors,
    ...secrets,
    cut,
    as,
    worker: (wish) => joined(caller, as, wish),
    post: (wish) => posted(caller, wish),
    async [Symbol.asyncDispose]() {
      for (const each of callers) each.close();
      app.stop();
      closeSecrets();
      await close(100);
      await closeHall();
    },
  };
}

const NO_MACHINE: Machine = {
  repositories: null,
  sources: null,
  catalogMistakes: [],
  recruiting: null,
  failing: [],
  kept: null,
};

const FIXED: Pick<AppNeeds, 'machine' | 'freeDisk' | 'forges' | 'version' | 'mostStreams'> = {
  machine: () => NO_MACHINE,
  freeDisk: async () => ({ freeBytes: 1e11, totalBytes: 2e11 }),
  forges: () => [],
  version: '0.0.0',
  mostStreams: 100,
};

const NO_FORGE: Pick<
  AppNeeds,
  'gitAccessOf' | 'webhookSource' | 'heard' | 'accountOf' | 'secretOf'
> = {
  accountOf: () => undefined,
  secretOf: () => undefined,
  gitAccessOf: async () => assert.fail('this hall has no forge'),
  webhookSource: () => undefined,
  heard: () => undefined,
};

const NO_MODELS: Models = {
  send: () => Promise.reject(new ModelUnreachable('this hall has no models')),
};

async function joined(
  caller: Caller,
  as: (token: string) => Caller,
  options: object = {},
): Promise<RunningWorker> {
  const registration = { instance: 'dev-default', brings_model: true, ...options };
  const { status, body } = await caller.post('/v1/workers', registration);
  if (status !== 201) throw new Error(`no worker: ${JSON.stringify(body)}`);
  return { id: body.id, token: body.token, caller: as(body.token) };
}

async function posted(caller: Caller, tasks: object | readonly object[] = {}) {
  const bodies = (Array.isArray(tasks) ? tasks : [tasks]).map((task, n) => ({
    project: 'shop',
    title: `task ${n + 1}`,
    ...task,
  }));
  const { status, body } = await caller.post('/v1/tasks', bodies);
  if (status !== 201) throw new Error(`not posted: ${JSON.stringify(body)}`);
  return body.tasks.map(({ id }: { readonly id: string }) => id);
}

async function openOrTake(options: HallOptions, clock: Clock, log: Log) {
  if (options.hall) return { hall: options.hall, close: async () => undefined };
  const opened = await openStore(options, clock, log);
  const hall = await openBoard(options, { clock, log, ...opened });
  const close = async () => {
    await hall.stop();
    await opened.close();
  };
  return { hall, close };
}

interface Opened {
  readonly store: Store;
  readonly leadership?: Leadership;
  close(): Promise<void>;
}

async function openStore({ store: kind }: HallOptions, clock: Clock, log: Log): Promise<Opened> {
  if (kind === 'sqlite') {
    const folder = tempFolder();
    const store = await openSqlite({ path: join(folder.path, 'hall.db'), checkUpTo: 0 });
    const close = async () => {
      await store.close();
      folder[Symbol.dispose]();
    };
    return { store, close };
  }
  if (typeof kind === 'object' && 'made' in kind) {
    return { store: kind.made, close: () => kind.made.close() };
  }
  if (typeof kind === 'object') {
    const random = () => Math.random();
    const opened = await openPostgres({ url: kind.postgres, clock, random, log });
    return { ...opened, close: () => opened.store.close() };
  }
  const store = createMemoryStore();
  return { store, close: () => store.close() };
}

function openBoard(
  options: HallOptions,
  { store, leadership, clock, log }: Opened & { readonly clock: Clock; readonly log: Log },
): Promise<Hall> {
  const needs = {
    store,
    clock,
    log,
    times: {
      lease: (options.leaseSeconds ?? 360) * 1000,
      tick: (options.tickSeconds ?? 3_600) * 1000,
      keepAnswers: 86_400_000,
      keepLog: 86_400_000,
      keepDecisions: 30 * 86_400_000,
      approval: (options.approvalSeconds ?? 900) * 1000,
    },
    declaration: () => declared(options.projects ?? { shop: {} }, options.invokers ?? {}),
    broken: () => undefined,
  };
  if (!leadership) return openHall(needs);
  const url = options.app?.address ? `http://127.0.0.1:${options.app.address.port}` : '';
  return openClusteredHall({
    ...needs,
    leadership,
    url,
    // The only node of its hall: a slow machine must not make it doubt that it leads.
    pace: { heartbeat: 200, patience: 60_000 },
  });
}

function declared(
  projects: Readonly<Record<string, Partial<ProjectSettings>>>,
  invokers: NonNullable<HallOptions['invokers']>,
): Declaration {
  return {
    projects: Object.entries(projects).map(([name, settings], at) => ({
      name,
      settings: { ...SETTINGS, ...settings },
      declared: { file: 'guildhall.yaml', line: at + 10 },
    })),
    types: ['dev', 'reviewer', 'boss'].map((name) => ({
      name,
      settings: TYPE_SETTINGS,
      declared: null,
    })),
    forges: [],
    invokers: Object.entries(invokers).map(([name, settings]) => ({
      name,
      settings,
      declared: null,
    })),
    personas: [],
  };
}

function silentLog(errors: Facts[]): Log {
  return {
    info: () => undefined,
    warn: () => undefined,
    error: (message, facts) => errors.push({ message, ...facts }),
  };
}
