import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readBranches, readCommits } from '../git/read-commits.ts';
import { writeCommit } from '../git/write-commits.ts';
import type { Account, Repository } from './model.ts';
import { fullNameOf, type World } from './world.ts';

interface NewRepository {
  readonly owner: Account;
  readonly name: string;
  readonly isPrivate: boolean;
  readonly files: Readonly<Record<string, string>>;
}

export async function createRepository(world: World, plan: NewRepository): Promise<Repository> {
  const repository = await emptyRepository(world, { ...plan, forkOf: null });
  const { dir, defaultBranch: branch } = repository;
  const files = Object.keys(plan.files).length > 0 ? plan.files : { 'README.md': `${plan.name}\n` };
  await writeCommit(world.git, dir, {
    branch,
    from: null,
    by: plan.owner,
    at: world.now(),
    message: 'Initial commit',
    files,
  });
  repository.branches = await readBranches(world.git, dir);
  for (const commit of await readCommits(world.git, dir, [branch])) {
    repository.commits.set(commit.sha, commit);
  }
  return repository;
}

export async function forkRepository(
  world: World,
  original: Repository,
  owner: Account,
): Promise<Repository> {
  const { name, isPrivate } = original;
  const fork = await emptyRepository(world, { owner, name, isPrivate, forkOf: original });
  const refs = ['refs/heads/*:refs/heads/*'];
  await world.git.run(fork.dir, ['fetch', '--quiet', original.dir, ...refs]);
  fork.branches = await readBranches(world.git, fork.dir);
  return fork;
}

/** Old names redirect until another repository takes them. */
export function renameRepository(
  world: World,
  repository: Repository,
  { name, sender }: { readonly name: string; readonly sender: Account },
): void {
  const from = repository.name;
  repository.formerNames.add(fullNameOf(repository).toLowerCase());
  repository.name = name;
  world.emit({ is: 'repository_renamed', repository, sender, from });
}

async function emptyRepository(
  world: World,
  {
    owner,
    name,
    isPrivate,
    forkOf,
  }: Omit<NewRepository, 'files'> & { readonly forkOf: Repository | null },
): Promise<Repository> {
  const id = world.nextId('repository');
  const dir = join(world.folder, `${id}.git`);
  await mkdir(dir, { recursive: true });
  await world.git.run(dir, ['init', '--quiet', '--bare', '--initial-branch=main']);
  await world.git.run(dir, ['config', 'uploadpack.allowAnySHA1InWant', 'true']);
  await world.git.run(dir, ['config', 'http.receivepack', 'true']);
  const at = world.now();
  const repository: Repository = {
    ...{ id, owner, name, isPrivate, dir, forkOf, defaultBranch: 'main' },
    ...{ createdAt: at, pushedAt: at, lastNumber: 0, formerNames: new Set() },
    ...{ collaborators: new Map(), labels: [], issues: new Map(), deletedIssues: new Set() },
    ...{ comments: [], statuses: [], suites: [], checkRuns: [], workflowRuns: [] },
    ...{ protections: new Map(), hooks: [], branches: new Map(), commits: new Map() },
  };
  world.repositories.push(repository);
  return repository;
}
