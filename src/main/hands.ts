import { getCompileCacheDir } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createGitWorkspaces } from '../adapters/git/workspaces.ts';
import { createLocalForge } from '../adapters/localforge/local-forge.ts';
import { createProcessRecruits } from '../adapters/processes/recruits.ts';
import { carryOut, type Failing } from '../board/carry-out.ts';
import type { Hall } from '../board/hall.ts';
import { recruit } from '../board/recruit.ts';
import type { Recruiting } from '../board/recruiting.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../ports/log.ts';
import type { Kept } from '../worker/keep-machine.ts';
import { startKeeper } from '../worker/keeper.ts';
import { tokenPath } from './token-file.ts';
import { watchContainers } from './watch-containers.ts';
import { createCellsOfMachine } from './worker/cells.ts';
import { createFolders } from './worker/folders.ts';
import { createPremises } from './worker/premises.ts';

interface Needs {
  readonly hall: Hall;
  readonly config: Config;
  /** How workers on this machine reach the hall. */
  readonly url: string;
  readonly log: Log;
  /** What may not leave in any work, now: the configuration is read again while the hall runs. */
  readonly secrets: () => Iterable<string>;
}

export interface Hands {
  recruiting(): Recruiting;
  kept(): Kept | null;
  /** Checks and merges that could not be done. */
  failing(): readonly Failing[];
  /** Lets its workers go that have no run, while the hall still answers them. */
  sendHome(): Promise<void>;
  stop(): Promise<void>;
}

/** What the hall does outside itself: it starts workers, clears up after them, runs checks and merges. */
export function startHands({ hall, config, url, log, secrets }: Needs): Hands {
  const { path } = config;
  const { clock } = hall;
  const folder = join(config.hall.data, 'worker');
  const workspaces = createGitWorkspaces({
    root: join(folder, 'git'),
    path,
    secrets: () => [...secrets()],
    gnupgHome: null,
    onProgress: () => undefined,
  });
  const cellsFor = createCellsOfMachine({ path, prefix: config.hall.containerPrefix });
  const keeper = startKeeper({
    ...{ workspaces, cellsFor, clock, log },
    premises: createPremises(join(folder, 'runs'), { path }),
    keep: config.hall.retention.work,
    budgetBytes: config.hall.diskBudgetBytes,
  });
  void keeper.look();
  const forge = createLocalForge({
    workspaces,
    cellsFor,
    folders: createFolders(join(folder, 'checks'), { path }),
  });
  const errands = carryOut({ hall, forge, clock, log });
  const containers = watchContainers({ path, clock, log });
  // Rescuing what a worker left may take a while, and the next one need not wait for it.
  const recruits = recruitsOf({ config, url, folder, clear: () => void keeper.look() });
  const recruiter = recruit({
    ...{ hall, recruits, clock, log },
    most: config.hall.mostRecruits,
    held: () => keeper.kept()?.noRoom ?? null,
  });
  return {
    recruiting: recruiter.state,
    kept: () => keeper.kept(),
    failing: errands.failing,
    sendHome: recruiter.sendHome,
    async stop() {
      await Promise.all([errands.stop(), recruiter.stop(), keeper.stop(), containers.stop()]);
    },
  };
}

interface RecruitNeeds {
  readonly config: Config;
  readonly url: string;
  readonly folder: string;
  readonly clear: () => void;
}

function recruitsOf({ config, url, folder, clear }: RecruitNeeds) {
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
    clear,
    env: {
      PATH: config.path,
      HOME: join(folder, 'home'),
      LANG: 'C.UTF-8',
      ...compileCache(),
      ...(config.hall.auth.mode !== 'none' && {
        GUILDHALL_TOKEN_FILE: tokenPath(config.hall.data),
      }),
    },
  });
}

/** Its temporary folder is new, so that a worker would compile all modules again: two thirds of its start. */
function compileCache(): Readonly<Record<string, string>> {
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}

const BIN = fileURLToPath(new URL('../../bin/guildhall.js', import.meta.url));

/** Seconds that a worker stays without work: starting one costs more than letting one wait a little. */
const IDLE = '20';
