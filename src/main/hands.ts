import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeFolder } from '../adapters/git/remove-folder.ts';
import { createGitWorkspaces } from '../adapters/git/workspaces.ts';
import { createLocalForge } from '../adapters/localforge/local-forge.ts';
import { createProcessRecruits } from '../adapters/processes/recruits.ts';
import { carryOut } from '../board/carry-out.ts';
import type { Hall } from '../board/hall.ts';
import { recruit } from '../board/recruit.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../ports/log.ts';
import { tokenPath } from './token-file.ts';
import { watchContainers } from './watch-containers.ts';
import { createCellsOfMachine } from './worker/cells.ts';
import { createFolders } from './worker/folders.ts';

interface Needs {
  readonly hall: Hall;
  readonly config: Config;
  /** How workers on this machine reach the hall. */
  readonly url: string;
  readonly log: Log;
}

/** What the hall does outside itself: it starts workers, runs checks and merges. */
export function startHands({ hall, config, url, log }: Needs): { stop(): Promise<void> } {
  const { path } = config;
  const prefix = config.hall.containerPrefix;
  const { clock } = hall;
  const folder = join(config.hall.data, 'worker');
  const forge = createLocalForge({
    workspaces: createGitWorkspaces({
      root: join(folder, 'git'),
      path,
      secrets: () => [...config.secrets.values()],
      gnupgHome: null,
      onProgress: () => undefined,
    }),
    cellsFor: createCellsOfMachine({ path, prefix }),
    folders: createFolders(join(folder, 'checks'), { path }),
  });
  const errands = carryOut({ hall, forge, clock, log });
  const recruits = createProcessRecruits({
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
      prefix,
      '--idle',
      IDLE,
    ],
    clear: (worker) =>
      removeFolder(
        { path },
        { folder: join(folder, 'runs', worker), within: join(folder, 'runs') },
      ),
    env: {
      PATH: path,
      HOME: join(folder, 'home'),
      LANG: 'C.UTF-8',
      ...(config.hall.auth.mode !== 'none' && {
        GUILDHALL_TOKEN_FILE: tokenPath(config.hall.data),
      }),
    },
  });
  const containers = watchContainers({ path, clock, log });
  const recruiter = recruit({ hall, recruits, clock, log, most: config.hall.mostRecruits });
  return {
    async stop() {
      await Promise.all([errands.stop(), recruiter.stop(), containers.stop()]);
    },
  };
}

const BIN = fileURLToPath(new URL('../../bin/guildhall.js', import.meta.url));

/** Seconds that a worker stays without work: starting one costs more than letting one wait a little. */
const IDLE = '20';
