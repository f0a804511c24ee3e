import { join, resolve } from 'node:path';
import type { Branches } from '../../ports/branches.ts';
import type { RepositoryFiles } from '../../ports/task-source.ts';
import type { Mirror, Repository, Workspaces } from '../../ports/workspace.ts';
import { createBranches } from './branches.ts';
import { checkOut } from './check-out.ts';
import { excludeUntracked } from './exclude-untracked.ts';
import { type FileLock, lockFile } from './file-lock.ts';
import { type GitFolders, gitFoldersUnder } from './folders.ts';
import { harvest } from './harvest.ts';
import { type FetchProgress, type MirrorRepository, updateMirror } from './mirror.ts';
import { pushWork, rescueWork } from './push.ts';
import { readFolderOf } from './read-folder.ts';
import { readFileOf, tipOf } from './read-mirror.ts';
import { listRescued, type Rescued } from './rescue-refs.ts';
import { createGit, type Git } from './run-git.ts';
import { sweep } from './sweep.ts';

export interface GitSettings {
  /** Git's own folder, for mirrors and quarantines. No cell may write to it. */
  readonly root: string;
  /** The PATH for `git` and `flock`. */
  readonly path: string;
  /** Values that may not leave in any work, read at each harvest. */
  readonly secrets: () => readonly string[];
  /** Folder of the OpenPGP keys; null where no type signs with one. */
  readonly gnupgHome: string | null;
  readonly onProgress: (progress: FetchProgress) => void;
}

interface GitNeeds extends GitSettings {
  readonly git: Git;
  readonly folders: GitFolders;
}

/** The port, plus what the operator of a machine and the local forge need. */
interface GitWorkspaces extends Workspaces {
  mirror(repo: Repository): Promise<GitMirror>;
}

export interface GitMirror extends Mirror, Branches, RepositoryFiles {
  /** Work that was kept instead of pushed, until a sweep removes it by age. */
  rescued(): Promise<readonly Rescued[]>;
}

export function createGitWorkspaces(settings: GitSettings): GitWorkspaces {
  const folders = gitFoldersUnder(resolve(settings.root));
  const git = createGit({ path: settings.path, home: folders.home });
  const needs = { ...settings, folders, git };
  const readLocks = new Map<string, FileLock>();

  /** Held until this process ends, and with it every cell that reads the mirror. */
  async function lockForReading(dir: string): Promise<void> {
    if (readLocks.has(dir)) return;
    const lock = await lockFile(needs, { file: `${dir}.lent`, kind: 'shared', seconds: 600 });
    if (lock) readLocks.set(dir, lock);
  }

  return {
    async mirror(repo) {
      const mirror = await updateMirror(needs, repo);
      await lockForReading(mirror.dir);
      return createMirror(needs, mirror);
    },
    sweep: (plan) => sweep(needs, plan),
  };
}

function createMirror(needs: GitNeeds, mirror: MirrorRepository): GitMirror {
  const { dir, defaultBranch } = mirror;
  const repository = { git: needs.git, dir };
  return {
    ...createBranches(needs, mirror),
    objects: join(dir, 'objects'),
    defaultBranch,
    tip: (branch) => tipOf(repository, branch),
    read: (commit, path, most) => readFileOf(repository, commit, { path, most }),
    readFolder: (commit, folder, limits) => readFolderOf(repository, commit, { folder, limits }),
    async checkOut(cell, plan) {
      const tip = await tipOf(repository, plan.base);
      await checkOut(cell, plan, tip === null ? null : { branch: plan.base, commit: tip });
    },
    excludeUntracked,
    harvest: (cell, plan) => harvest(needs, mirror, { cell, plan }),
    push: (work, to) => pushWork(needs, mirror, { work, to }),
    rescue: (work) => rescueWork(needs, mirror, work),
    rescued: () => listRescued(needs, dir),
  };
}
