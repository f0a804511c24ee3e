import { getCompileCacheDir } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createCaFiles } from '../adapters/cell/ca-files.ts';
import { createForgePullRequests } from '../adapters/forge/pull-request-host.ts';
import { createGitWorkspaces } from '../adapters/git/workspaces.ts';
import { createLocalForge } from '../adapters/local-forge/local-forge.ts';
import { createProcessRecruits } from '../adapters/processes/worker-processes.ts';
import type { ForgeDeliveries } from '../board/forge-deliveries.ts';
import type { Hall } from '../board/hall.ts';
import type { FollowedRepository } from '../board/look-at-forges.ts';
import { type FailedAction, reconcilePullRequests } from '../board/reconcile-pull-requests.ts';
import { recruit } from '../board/recruit.ts';
import type { RecruiterStatus } from '../board/recruiter-status.ts';
import type { SourceSync } from '../board/sync-sources.ts';
import type { Config } from '../config/config.ts';
import { createRedactor } from '../domain/redaction.ts';
import type { ForgeConnections } from '../http/routes/forges.ts';
import type { Log } from '../ports/log.ts';
import type { DiskUse } from '../worker/clean-machine.ts';
import { startMachineCleaner } from '../worker/machine-cleaner.ts';
import { followForges, pullRequestHosts } from './follow-forges.ts';
import { startForgeConnections } from './forge-connections.ts';
import type { Forges } from './forges.ts';
import { tokenPath } from './hall-file.ts';
import { createMachineLacks } from './machine-lacks.ts';
import { startSources } from './sources.ts';
import { watchContainers } from './watch-containers.ts';
import { cellSettings, createCellsOfMachine } from './worker/cells.ts';
import { createFolders } from './worker/folders.ts';
import { createRunFolders } from './worker/run-folders.ts';

interface Needs {
  readonly hall: Hall;
  readonly config: Config;
  /** The URL at which workers on this machine reach the hall. */
  readonly url: string;
  readonly log: Log;
  /** Secrets that no work may contain. A function, because the configuration is reread while the hall runs. */
  readonly secrets: () => Iterable<string>;
  readonly forges: Forges;
  readonly deliveries: ForgeDeliveries;
}

export interface MachineServices {
  recruiting(): RecruiterStatus;
  diskUse(): DiskUse | null;
  /** What it follows on forges. */
  repositories(): readonly FollowedRepository[];
  /** How they are connected. */
  readonly connections: ForgeConnections;
  readonly sources: SourceSync;
  /** Checks and merges that failed. */
  failing(): readonly FailedAction[];
  /** Dismisses its workers without a run, while the hall still answers them. */
  dismissWorkers(): Promise<void>;
  stop(): Promise<void>;
}

/** What the hall does on its machine: starts workers, cleans up after them, runs checks and merges. */
export function startMachineServices(needs: Needs): MachineServices {
  const { hall, config, url, log, secrets, forges } = needs;
  const { path } = config;
  const { clock } = hall;
  const folder = join(config.hall.data, 'worker');
  const workspaces = workspacesIn(join(folder, 'git'), { path, secrets });
  const cellsFor = createCellsOfMachine(cellSettings(config));
  const cleaner = startMachineCleaner({
    ...{ workspaces, cellsFor, clock, log },
    runFolders: createRunFolders(join(folder, 'runs'), { path }),
    keep: config.hall.retention.work,
    budgetBytes: config.hall.diskBudgetBytes,
  });
  void cleaner.clean();
  const local = createLocalForge({
    workspaces,
    cellsFor,
    prepareVariables: createCaFiles({ folder: join(folder, 'ca'), host: config.caVariables }),
    redact: createRedactor(secrets),
    folders: createFolders(join(folder, 'checks'), { path }),
  });
  const hosted = createForgePullRequests({ workspaces, placeOf: forges.placeOf });
  const host = pullRequestHosts(local, hosted);
  const actions = reconcilePullRequests({ hall, host, clock, log });
  const connections = startForgeConnections(needs);
  const { isCovered } = connections;
  const following = followForges(needs, { recruiting: () => recruiter.state(), isCovered });
  const sources = startSources({ hall, config, log, forges, workspaces, lookAt: following.lookAt });
  const containers = watchContainers({ engine: config, clock, log });
  // Not awaited: rescuing a worker's work may take a while, and the next worker need not wait for it.
  const recruits = recruitsOf({ config, url, folder, clear: () => void cleaner.clean() });
  const recruiter = recruit({
    ...{ hall, recruits, clock, log },
    most: config.hall.mostRecruits,
    held: () => cleaner.diskUse()?.noSpace ?? null,
    lacks: createMachineLacks(config, () => clock.monotonic()),
  });
  return {
    recruiting: recruiter.state,
    diskUse: () => cleaner.diskUse(),
    repositories: following.repositories,
    connections,
    sources,
    failing: actions.failing,
    dismissWorkers: recruiter.dismissAll,
    async stop() {
      await Promise.all([
        actions.stop(),
        following.stop(),
        connections.stop(),
        sources.stop(),
        recruiter.stop(),
        cleaner.stop(),
        containers.stop(),
      ]);
    },
  };
}

function workspacesIn(root: string, { path, secrets }: { path: string } & Pick<Needs, 'secrets'>) {
  return createGitWorkspaces({
    ...{ root, path, secrets: () => [...secrets()] },
    gnupgHome: null,
    onProgress: () => undefined,
  });
}

interface RecruitNeeds {
  readonly config: Config;
  readonly url: string;
  readonly folder: string;
  readonly clear: () => void;
}

function recruitsOf({ config, url, folder, clear: sweepCells }: RecruitNeeds) {
  return createProcessRecruits({
    folder: join(folder, 'recruits'),
    command: [
      process.execPath,
      BIN,
      'worker',
      'run',
      '--url',
      url,
      '--folder',
      folder,
      '--container-prefix',
      config.hall.containerPrefix,
      '--idle',
      IDLE,
      '--no-sweep',
    ],
    sweepCells,
    env: {
      PATH: config.path,
      HOME: join(folder, 'home'),
      LANG: 'C.UTF-8',
      ...config.caVariables,
      ...(config.dockerHost !== undefined && { DOCKER_HOST: config.dockerHost }),
      ...(config.gnupgHome !== null && { GNUPGHOME: config.gnupgHome }),
      ...compileCache(),
      ...(config.hall.auth.mode !== 'none' && {
        GUILDHALL_TOKEN_FILE: tokenPath(config.hall.data),
      }),
    },
  });
}

/**
 * A worker's temporary folder is new, so without this it would compile all modules again: two thirds of
 * its start.
 */
function compileCache(): Readonly<Record<string, string>> {
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}

const BIN = fileURLToPath(new URL('../../bin/guildhall.js', import.meta.url));

/** Seconds that a worker waits without work; starting a new one costs more. */
const IDLE = '20';
