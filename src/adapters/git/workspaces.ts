import { join, resolve } from 'node:path';
import type { Mirror, Repository, Workspaces } from '../../ports/workspace.ts';
import { checkOut } from './check-out.ts';
import { harvest } from './harvest.ts';
import { bringUpToDate, type FetchProgress, type MirrorPlace } from './mirror.ts';
import { type Places, placesUnder } from './places.ts';
import { pushWork, rescueWork } from './push.ts';
import { readFileOf, tipOf } from './read-mirror.ts';
import { createGit, type Git } from './run-git.ts';

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

export interface GitNeeds extends GitSettings {
  readonly git: Git;
  readonly places: Places;
}

export function createGitWorkspaces(settings: GitSettings): Workspaces {
  const needs = gitNeeds(settings);
  return {
    async mirror(repo: Repository): Promise<Mirror> {
      return mirrorAt(needs, await bringUpToDate(needs, repo));
    },
  };
}

export function gitNeeds(settings: GitSettings): GitNeeds {
  const places = placesUnder(resolve(settings.root));
  return { ...settings, places, git: createGit({ path: settings.path, home: places.home }) };
}

function mirrorAt(needs: GitNeeds, place: MirrorPlace): Mirror {
  const { dir, defaultBranch } = place;
  const here = { git: needs.git, dir };
  return {
    objects: join(dir, 'objects'),
    defaultBranch,
    tip: (branch) => tipOf(here, branch),
    read: (commit, path, most) => readFileOf(here, commit, { path, most }),
    async checkOut(cell, plan) {
      const tip = await tipOf(here, defaultBranch);
      await checkOut(cell, plan, tip === null ? null : { branch: defaultBranch, commit: tip });
    },
    harvest: (cell, plan) => harvest(needs, place, { cell, plan }),
    push: (work, to) => pushWork(needs, place, { work, to }),
    rescue: (work) => rescueWork(needs, place, work),
  };
}
