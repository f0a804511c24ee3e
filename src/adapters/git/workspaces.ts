import { join, resolve } from 'node:path';
import type { Branches } from '../../ports/branches.ts';
import type { Mirror, Repository, Workspaces } from '../../ports/workspace.ts';
import { branchesOf } from './branches.ts';
import { checkOut } from './check-out.ts';
import { type FileLock, lockFile } from './file-lock.ts';
import { harvest } from './harvest.ts';
import { bringUpToDate, type FetchProgress, type MirrorPlace } from './mirror.ts';
import { type Places, placesUnder } from './places.ts';
import { pushWork, rescueWork } from './push.ts';
import { readFileOf, tipOf } from './read-mirror.ts';
import { listRescued, type Rescued } from './rescued.ts';
import { createGit, type Git } from './run-git.ts';
import { sweep } from './sweep.ts';

export interface GitSettings {
  /** A folder of git's own, for mirrors and quarantines. No cell may write to it. */
  readonly root: string;
  /** Where `git` and `flock` are found. */
  readonly path: string;
  /** Values that may not leave in any work, asked for at each harvest. */
  readonly secrets: () => readonly string[];
  /** Where OpenPGP keys are; null where no type signs with one. */
  readonly gnupgHome: string | null;
  readonly onProgress: (progress: FetchProgress) => void;
}

interface GitNeeds extends GitSettings {
  readonly git: Git;
  readonly places: Places;
}

/** The port, and what those who run a machine or a local forge need besides. */
interface GitWorkspaces extends Workspaces {
  mirror(repo: Repository): Promise<GitMirror>;
}

export interface GitMirror extends Mirror, Branches {
  /** Work that was kept instead of pushed, until a sweep finds it old enough. */
  rescued(): Promise<readonly Rescued[]>;
}

export function createGitWorkspaces(settings: GitSettings): GitWorkspaces {
  const places = placesUnder(resolve(settings.root));
  const git = createGit({ path: settings.path, home: places.home });
  const needs = { ...settings, places, git };
  const lent = new Map<string, FileLock>();

  /** Held until this process ends, and with it every cell that reads the mirror. */
  async function lend(dir: string): Promise<void> {
    if (lent.has(dir)) return;
    const lock = await lockFile(needs, { file: `${dir}.lent`, kind: 'shared', seconds: 600 });
    if (lock) lent.set(dir, lock);
  }

  return {
    async mirror(repo) {
      const place = await bringUpToDate(needs, repo);
      await lend(place.dir);
      return mirrorAt(needs, place);
    },
    sweep: (plan) => sweep(needs, plan),
  };
}

function mirrorAt(needs: GitNeeds, place: MirrorPlace): GitMirror {
  const { dir, defaultBranch } = place;
  const here = { git: needs.git, dir };
  return {
    ...branchesOf(needs, place),
    objects: join(dir, 'objects'),
    defaultBranch,
    tip: (branch) => tipOf(here, branch),
    read: (commit, path, most) => readFileOf(here, commit, { path, most }),
    async checkOut(cell, plan) {
      const tip = await tipOf(here, plan.base);
      await checkOut(cell, plan, tip === null ? null : { branch: plan.base, commit: tip });
    },
    harvest: (cell, plan) => harvest(needs, place, { cell, plan }),
    push: (work, to) => pushWork(needs, place, { work, to }),
    rescue: (work) => rescueWork(needs, place, work),
    rescued: () => listRescued(needs, dir),
  };
}
