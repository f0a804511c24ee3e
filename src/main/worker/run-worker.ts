import { hostname } from 'node:os';
import { join } from 'node:path';
import { createCaFiles } from '../../adapters/cell/ca-files.ts';
import { createClaudeRunner } from '../../adapters/claude/runner.ts';
import { createCommandRunner } from '../../adapters/command/runner.ts';
import { copyIntoWorkTree } from '../../adapters/git/copy-files.ts';
import { createGitWorkspaces } from '../../adapters/git/workspaces.ts';
import { createShell } from '../../adapters/shell/shell.ts';
import { createClock } from '../../adapters/system/clock.ts';
import { createLog, type LogTarget } from '../../adapters/system/log.ts';
import { type Client, createClient } from '../../api/client.ts';
import type { Env } from '../../domain/env.ts';
import type { Duration } from '../../domain/ids.ts';
import type { Backend } from '../../domain/pool.ts';
import type { WorkerCells } from '../../domain/worker.ts';
import type { AgentRunner } from '../../ports/agent.ts';
import type { Cell } from '../../ports/cell.ts';
import type { CleanupNeeds } from '../../worker/clean-machine.ts';
import { startMachineCleaner } from '../../worker/machine-cleaner.ts';
import { workLoop } from '../../worker/work-loop.ts';
import { type CellSettings, createCellsOfMachine, workerCells } from './cells.ts';
import { createHallClient } from './hall-client.ts';
import { startHeartbeats } from './heartbeats.ts';
import { inspectCommand } from './inspect-command.ts';
import { createOrders } from './orders.ts';
import { claimRunFolders, createRunFolders } from './run-folders.ts';
import { createRunProxies } from './run-proxies.ts';

export interface WorkerSettings extends CellSettings {
  readonly url: string;
  /** Must be allowed to register workers. */
  readonly token: string | undefined;
  readonly instance: string;
  readonly projects: readonly string[] | null;
  /** The CA files that the worker itself trusts. */
  readonly caVariables: Env;
  /** The folder of the OpenPGP keys that sign commits; null where there is none. */
  readonly gnupgHome: string | null;
  /** Holds the mirrors, quarantines and cells of this machine. */
  readonly folder: string;
  /** The worker exits after this many claims without a task; null never exits. */
  readonly patience: number | null;
  readonly waitSeconds: number;
  /** How it cleans its folder; null leaves that to the process that started it. */
  readonly keeping: { readonly keep: Duration; readonly budgetBytes: number | null } | null;
  readonly registered: (id: string) => void;
}

/** Runs one worker from registration to deregistration. Returns why it ended. */
export async function runWorker(
  settings: WorkerSettings,
  { target, drain }: { readonly target: LogTarget; readonly drain: AbortSignal },
): Promise<string> {
  const { url, token } = settings;
  const secrets = new Set(token === undefined ? [] : [token]);
  const log = createLog(target, () => secrets);
  const registrar = createClient({ url, ...(token !== undefined && { token }) });
  const cellsFor = createCellsOfMachine(settings);
  const cells = await workerCells(cellsFor);
  const clock = createClock();
  const workspaces = workspacesFor(settings, () => [...secrets]);
  await using cleaner = await startCleaning(settings, { workspaces, cellsFor, clock, log });
  const registered = await register(registrar, settings, cells);
  const { id, token: workerToken } = registered;
  secrets.add(workerToken);
  settings.registered(id);
  log.info('worker registered', { worker: id, instance: settings.instance, url });
  const receiver = createOrders(log, drain);
  const everyMs = registered.heartbeat_seconds * 1_000;
  const leaseMs = registered.lease_seconds * 1_000;
  const heartbeats = startHeartbeats(
    { url, token: workerToken, worker: id, everyMs, leaseMs },
    receiver.receive,
  );
  const workerClient = createClient({ url, token: workerToken });
  const hallClient = createHallClient({
    client: workerClient,
    ...{ url, token: workerToken },
    worker: id,
    secrets,
    patience: leaseMs,
    monotonic: () => clock.monotonic(),
    idle: async () =>
      receiver.receive(await workerClient.call('sendHeartbeat', { path: { id }, body: {} })),
  });
  const shell = createShell();
  await using folders = await claimRunFolders(cellsIn(settings), id, settings);
  try {
    const needs = {
      hall: hallClient,
      clock,
      log,
      bounds: BOUNDS,
      proxies: createRunProxies({ hall: { url, token: workerToken } }),
      ...{ workspaces, cellsFor, folders, noSpace: cleaner.noSpace },
      prepareVariables: caFilesOf(settings),
      runnerFor: createRunners(),
      copyInto: copyIntoWorkTree,
      inspectCommand: (cell: Cell, command: string) => inspectCommand({ shell, cell }, command),
    };
    return await workLoop(needs, receiver.orders(heartbeats), settings);
  } finally {
    await heartbeats.stop();
  }
}

/** Limits for the changes of one run; a larger change cannot be reviewed. */
const BOUNDS = { files: 2_000, lines: 50_000, bytes: 50 * 1024 ** 2 };

function register(client: Client, settings: WorkerSettings, { kind, gaps }: WorkerCells) {
  const { instance, projects } = settings;
  return client.call('registerWorker', {
    body: {
      instance,
      projects: projects && [...projects],
      brings_model: false,
      host: hostname(),
      cells: { kind, gaps: [...gaps] },
    },
  });
}

/** No run can start on this machine: the disk or its budget is full. */
export class NoDiskSpace extends Error {
  override readonly name = 'NoDiskSpace';
}

type Tools = Omit<CleanupNeeds, 'runFolders' | 'keep' | 'budgetBytes'>;

/** Rescues the work of earlier workers before this one claims a task. */
async function startCleaning(settings: WorkerSettings, tools: Tools) {
  if (settings.keeping === null)
    return { noSpace: () => null, [Symbol.asyncDispose]: async () => undefined };
  const runFolders = createRunFolders(cellsIn(settings), settings);
  const cleaner = startMachineCleaner({ ...tools, ...settings.keeping, runFolders });
  await cleaner.clean();
  const noSpace = () => cleaner.diskUse()?.noSpace ?? null;
  const because = noSpace();
  if (because === null) return { noSpace, [Symbol.asyncDispose]: () => cleaner.stop() };
  await cleaner.stop();
  throw new NoDiskSpace(`no run can start on this machine: ${because}`);
}

function caFilesOf({ folder, caVariables: host }: WorkerSettings) {
  return createCaFiles({ folder: join(folder, 'ca'), host });
}

function cellsIn({ folder }: WorkerSettings): string {
  return join(folder, 'runs');
}

function workspacesFor(settings: WorkerSettings, secrets: () => readonly string[]) {
  return createGitWorkspaces({
    root: join(settings.folder, 'git'),
    path: settings.path,
    secrets,
    gnupgHome: settings.gnupgHome,
    onProgress: () => undefined,
  });
}

function createRunners() {
  const claude = createClaudeRunner();
  return (backend: Backend): AgentRunner => {
    if (backend.kind === 'claude') return claude;
    const [program = '', ...args] = backend.argv;
    return createCommandRunner({ name: program, command: [program, ...args] });
  };
}
