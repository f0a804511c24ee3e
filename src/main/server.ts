import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { createModels } from '../adapters/gateway/provider.ts';
import { createPrometheus } from '../adapters/metrics/prometheus.ts';
import { openPromptFiles } from '../adapters/prompt-files/prompt-files.ts';
import { createShell } from '../adapters/shell/shell.ts';
import { createClock } from '../adapters/system/clock.ts';
import { openSessions } from '../adapters/system/sessions.ts';
import { openClusteredHall } from '../board/clustered-hall.ts';
import type { Change } from '../board/command.ts';
import { ForgeDeliveries } from '../board/forge-deliveries.ts';
import { type Hall, openHall } from '../board/hall.ts';
import type { KnownSecrets } from '../board/known-secrets.ts';
import type { MaintenanceTimes } from '../board/maintenance.ts';
import { sweepSessions } from '../board/sweep-sessions.ts';
import type { Config, HallSettings } from '../config/config.ts';
import { PRODUCT_FOLDER } from '../config/product-folder.ts';
import type { Address } from '../config/units.ts';
import { eraAfter, restoreBoard } from '../domain/restoring.ts';
import { unableText } from '../domain/staffing.ts';
import { type App, createApp } from '../http/app.ts';
import type { Auth } from '../http/authenticate.ts';
import { type Listening, listen } from '../http/listen.ts';
import type { ForgeConnections } from '../http/routes/forges.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Store } from '../ports/store.ts';
import { type Anchoring, refuseRollback, startAnchoring } from './anchors.ts';
import { createFolder } from './create-folder.ts';
import { isOpenToOthers } from './folder-permissions.ts';
import { createForges } from './forges.ts';
import { localUrl, nodeUrl, withPort } from './listen-address.ts';
import { type MachineServices, startMachineServices } from './machine-services.ts';
import { type OpenStore, openStore } from './open-store.ts';
import { orElse } from './or-else.ts';
import { createRequestDrain, type RequestDrain } from './request-drain.ts';
import { openSecrets, type Secrets } from './secrets.ts';
import { operatorToken } from './token-file.ts';
import { ownVersion } from './version.ts';

interface ServerNeeds {
  readonly config: Config;
  /** The configuration as it was last read, which may be newer than `config`. */
  readonly current: () => Config;
  readonly log: Log;
  /** Secrets to redact. A function, because the configuration is reread while the hall runs. */
  readonly secrets: () => Iterable<string>;
  /** Those of them that requests and the store bring. */
  readonly known: KnownSecrets;
  /** What is wrong with agents.yml at present. */
  readonly catalogMistakes: () => readonly string[];
  /** Reads the configuration file again; what is wrong with it. */
  readonly reloadConfig: () => Promise<readonly string[]>;
  /** Accept a database that contradicts its anchors. */
  readonly acceptRollback: boolean;
  /** Called when the store failed; the process must end. */
  readonly broken: (fault: Error) => void;
}

/** A running hall. */
export interface Server {
  readonly hall: Hall;
  /** The URL at which this machine reaches the hall. */
  readonly url: string;
  /** The operator's token; null when no token is needed. */
  readonly token: string | null;
  /** Drains requests, anchors the log and closes the store. */
  stop(): Promise<void>;
  /** The number of runs that continue while the hall is down. */
  runs(): number;
  /** Looks at the stored secrets again, and who needs them now. */
  refreshSecrets(): Promise<void>;
  /** Why agents cannot start, one sentence for each reason. */
  cannotStart(): readonly string[];
  /** What a stop is waiting for. */
  pending(): Pending;
  /** Closes what can still be closed after the store failed. */
  abandon(): Promise<void>;
}

export interface Pending {
  readonly requests: number;
  /** How long the store has not answered the commit in progress. */
  readonly store_silent_seconds: number;
}

/** Wires up all parts of a hall. Reads no environment variables and hides no defaults. */
export async function startServer(needs: ServerNeeds): Promise<Server> {
  const { log, acceptRollback } = needs;
  const clock = createClock();
  makeFolder(needs.config.hall.data, log);
  const opened = await openStore(needs.config.hall, { clock, log, accept: acceptRollback });
  try {
    const { data } = needs.config.hall;
    await refuseRollback(data, opened.store, { accept: acceptRollback, at: clock.now() });
    return await open(needs, opened, clock);
  } catch (error) {
    await opened.store.close();
    throw error;
  }
}

/** An existing folder keeps its permissions; the operator may have chosen them. */
function makeFolder(data: string, log: Log): void {
  createFolder(data, 0o700);
  if (!isOpenToOthers(data)) return;
  log.warn('other accounts can access the data folder', { data, fix: `chmod 700 ${data}` });
}

async function open(needs: ServerNeeds, opened: OpenStore, clock: Clock): Promise<Server> {
  const { log, config, secrets, known, current } = needs;
  const { store, leadership } = opened;
  const settings = config.hall;
  const address = leadership ? await withPort(settings.listen) : settings.listen;
  const node = nodeUrl({ ...settings, listen: address });
  const auth = await authOf(settings, log);
  const hall = await openBoard(needs, opened, { clock, url: node });
  if (needs.acceptRollback) await orElse(beginEra(hall), () => hall.stop());
  const isShared = leadership !== undefined;
  const ownSecrets = await orElse(
    openSecrets({ hall, config, current, isShared, known, clock, log }),
    () => hall.stop(),
  );
  const sessions = openSessions(join(settings.data, 'sessions'));
  const deliveries = new ForgeDeliveries(clock);
  const forges = createForges({ current, valuesOf: ownSecrets.valuesOf, now: () => clock.now() });
  let machineServices: MachineServices | undefined;
  const app = createApp({
    hall,
    auth,
    address: publicAddress(settings, address, node),
    heartbeat: settings.heartbeat,
    log,
    metrics: createPrometheus(),
    freeDisk: () => freeDiskIn(settings.data),
    forges: () => Object.keys(current().forges),
    shell: createShell(),
    version: ownVersion(),
    mostStreams: MAX_STREAMS,
    promptFiles: openPromptFiles([config.folder, PRODUCT_FOLDER]),
    sessions,
    machine: () => machineStatus(machineServices, needs),
    models: createModels(),
    ...{ secrets, known, gitAccessOf: forges.gitAccessOf },
    ...appSecrets(ownSecrets, current),
    ...{ webhookSource: forges.webhookSource, deliveries },
    forgeConnections: connectionsOf(() => machineServices),
    reloadConfig: needs.reloadConfig,
  });
  const requests = createRequestDrain(app.handle);
  const anchors = await startAnchoring({ folder: settings.data, hall, log });
  const listening = await listenOrStop(address, requests, { anchors, hall, ownSecrets });
  const url = localUrl({ host: address.host, port: listening.port });
  machineServices = startMachineServices({ hall, config, url, log, secrets, forges, deliveries });
  const sweep = sweepSessions({ hall, sessions, clock, log, keep: settings.retention.sessions });
  const parts: Parts = {
    hall,
    app,
    requests,
    listening,
    anchors,
    machineServices,
    sweep,
    store,
    ownSecrets,
    grace: settings.grace,
  };
  return serverOf(parts, { url, token: auth.mode === 'none' ? null : auth.token });
}

function serverOf(parts: Parts, { url, token }: Pick<Server, 'url' | 'token'>): Server {
  const { hall, requests, machineServices } = parts;
  return {
    hall,
    url,
    token,
    stop: () => stop(parts),
    runs: () => hall.board.runs.size,
    refreshSecrets: parts.ownSecrets.refresh,
    cannotStart: () => unableText(machineServices.recruiting().unable),
    pending: () => ({
      requests: requests.underWay,
      store_silent_seconds: Math.round((hall.leading()?.writer.stalledFor ?? 0) / 1_000),
    }),
    abandon: () => abandon(parts),
  };
}

/** The last step that waits: a signal is handled only once the server has started. */
function listenOrStop(
  address: Address,
  { handle }: RequestDrain,
  { anchors, hall, ownSecrets }: Pick<Parts, 'anchors' | 'hall' | 'ownSecrets'>,
): Promise<Listening> {
  return orElse(listen(address, handle), async () => {
    ownSecrets.stop();
    await anchors.stop();
    await hall.stop();
  });
}

function publicAddress(settings: HallSettings, address: Address, node: string) {
  const { publicUrl, allowedHosts } = settings;
  return { ...address, publicUrl, moreHosts: [...allowedHosts, new URL(node).host] };
}

function appSecrets({ store, accountOf }: Secrets, current: () => Config) {
  return {
    secretOf: (reference: string) => current().secrets.get(reference),
    secretStore: store,
    secretUses: () => current().secretUses,
    accountOf,
  };
}

function machineStatus(
  services: MachineServices | undefined,
  { catalogMistakes }: Pick<ServerNeeds, 'catalogMistakes'>,
) {
  return {
    repositories: services?.repositories() ?? null,
    connections: services?.connections.statuses() ?? [],
    sources: services?.sources ?? null,
    catalogMistakes: catalogMistakes(),
    recruiting: services?.recruiting() ?? null,
    failing: services?.failing() ?? [],
    kept: services?.diskUse() ?? null,
  };
}

/** Before the machine's services start, no forge is connected. */
function connectionsOf(services: () => MachineServices | undefined): ForgeConnections {
  return {
    statuses: () => services()?.connections.statuses() ?? [],
    connect: async (forge, how) => services()?.connections.connect(forge, how),
    check: async (forge) => services()?.connections.check(forge),
  };
}

const MAX_STREAMS = 1_000;

/** A rollback reuses the numbers of discarded events, so fences from them must not match again. */
async function beginEra(hall: Hall): Promise<void> {
  const meta = { actor: 'operator:local', cause: 'start --accept-rollback' };
  const raise: Change<number>['decide'] = (board, now) =>
    restoreBoard(board, eraAfter([board.hall.era], now.at), now);
  await hall.leading()?.writer.change({ meta, decide: raise });
}

function openBoard(
  needs: ServerNeeds,
  { store, leadership }: OpenStore,
  { clock, url }: { readonly clock: Clock; readonly url: string },
): Promise<Hall> {
  const { log, broken } = needs;
  const declaration = () => needs.current().declaration;
  const times = choreTimes(needs.config.hall);
  const alone = { store, clock, log, times, declaration, broken };
  if (!leadership) return openHall(alone);
  return openClusteredHall({ ...alone, leadership, url, pace: PACE });
}

/** A follower takes over after three missed heartbeats. */
const PACE = { heartbeat: 1_000, patience: 3_000 };

/** At least ten checks per lease detect a dead worker soon enough. */
function choreTimes({ deadAfter, retention, approvalTimeout }: HallSettings): MaintenanceTimes {
  return {
    lease: deadAfter,
    tick: Math.min(1_000, deadAfter / 10),
    keepAnswers: retention.answers,
    keepLog: retention.log,
    keepDecisions: retention.decisions,
    approval: approvalTimeout,
  };
}

async function authOf({ auth, data }: HallSettings, log: Log): Promise<Auth> {
  if (auth.mode === 'none') return { mode: 'none' };
  return { mode: auth.mode, token: await operatorToken(data, log) };
}

async function freeDiskIn(folder: string) {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

interface Parts {
  readonly hall: Hall;
  readonly app: App;
  readonly requests: RequestDrain;
  readonly listening: Listening;
  readonly anchors: Anchoring;
  readonly store: Store;
  readonly machineServices: MachineServices;
  readonly sweep: ReturnType<typeof sweepSessions>;
  readonly ownSecrets: Secrets;
  readonly grace: number;
}

/** For this long, a stopping hall still answers new requests instead of refusing connections. */
const LAME_DUCK = 500;

async function stop(parts: Parts): Promise<void> {
  const { hall, app, requests, listening, anchors, machineServices, sweep, store, grace } = parts;
  parts.ownSecrets.stop();
  await machineServices.dismissWorkers();
  requests.close();
  sweep.stop();
  app.stop();
  await machineServices.stop();
  await hall.stop();
  await new Promise((resolve) => setTimeout(resolve, Math.min(LAME_DUCK, grace / 2)));
  await requests.drained(grace);
  await listening.close(QUICKLY);
  try {
    await anchors.stop();
  } finally {
    await store.close();
  }
}

const QUICKLY = 250;

async function abandon({
  app,
  requests,
  listening,
  anchors,
  machineServices,
  sweep,
  store,
  ownSecrets,
}: Parts): Promise<void> {
  requests.close();
  ownSecrets.stop();
  sweep.stop();
  app.stop();
  try {
    await anchors.abandon();
  } finally {
    await machineServices.stop();
    await listening.close(QUICKLY);
    await store.close();
  }
}
