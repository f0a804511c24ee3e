import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Repository, RepositoryFailed } from '../../ports/workspace.ts';
import { type FileLock, lockExclusively } from './file-lock.ts';
import { type GitFolders, mirrorFolder } from './folders.ts';
import { isBranchName } from './ref-names.ts';
import { type Remote, remoteOf } from './remote.ts';
import type { Git } from './run-git.ts';

/** A bare repository that only the host writes, and only from its own remote. */
export interface MirrorRepository {
  readonly dir: string;
  readonly remote: Remote;
  readonly defaultBranch: string;
}

/** Progress of a fetch, as git prints it; the first fetch of a large repository takes minutes. */
export interface FetchProgress {
  readonly url: string;
  readonly line: string;
}

interface Needs {
  readonly git: Git;
  readonly folders: GitFolders;
  readonly path: string;
  readonly onProgress: (progress: FetchProgress) => void;
}

/** Brings the mirror up to date. A caller that waited for another worker's fetch uses its result. */
export async function updateMirror(needs: Needs, repo: Repository): Promise<MirrorRepository> {
  const requestedAt = Date.now();
  const remote = remoteOf(repo);
  const dir = mirrorFolder(needs.folders, repo.name ?? remote.url);
  await mkdir(needs.folders.mirrors, { recursive: true, mode: 0o700 });
  using lock = await lockMirror(needs, dir);
  const isThere = existsSync(join(dir, URL_FILE));
  if (isThere && repo.isOffline)
    return { dir, remote, defaultBranch: await readHead(needs.git, dir) };
  if (!isThere) await createMirror({ ...needs, lock }, dir, remote);
  if (!isFetchedSince(dir, requestedAt)) await fetchMirror({ ...needs, lock }, dir, remote);
  return { dir, remote, defaultBranch: await readHead(needs.git, dir) };
}

/** Every write to a mirror happens under this lock. */
export async function lockMirror(needs: { readonly path: string }, dir: string): Promise<FileLock> {
  return await lockExclusively(needs, `${dir}.lock`);
}

interface Locked extends Needs {
  readonly lock: FileLock;
}

/** Written last: a folder without it was never finished. */
const URL_FILE = 'hall-url';
/** Exists while a fetch runs: after a kill it is left, and git's own lock files with it. */
const FETCHING_FILE = 'hall-fetching';
const FETCHED_FILE = 'hall-fetched';
const HOUR = 3600;

async function createMirror({ git, lock }: Locked, dir: string, { url }: Remote): Promise<void> {
  rmSync(dir, { recursive: true, force: true });
  await mkdir(dirname(dir), { recursive: true });
  const doing = `creating a mirror of ${url}`;
  // The account of a cell reads the objects, and it is not ours where we are root.
  const args = [
    'init',
    '--quiet',
    '--bare',
    '--template=',
    '--shared=0644',
    '--end-of-options',
    dir,
  ];
  await git.run({ dir, args, doing, lock });
  writeFileSync(join(dir, URL_FILE), `${url}\n`);
}

async function fetchMirror(needs: Locked, dir: string, remote: Remote): Promise<void> {
  const { git, lock, onProgress } = needs;
  const startedAt = Date.now();
  const doing = `fetching ${remote.url}`;
  if (existsSync(join(dir, FETCHING_FILE))) removeStaleLocks(dir);
  writeFileSync(join(dir, FETCHING_FILE), '');
  const head = await remoteHead(git, dir, remote);
  await git.run({
    dir,
    doing,
    remote,
    lock,
    seconds: HOUR,
    config: TOLERATED_FSCK_ERRORS.map((error) => `fetch.fsck.${error}=ignore`),
    args: [...FETCH_ARGUMENTS, '--progress', '--', remote.url, '+refs/heads/*:refs/heads/*'],
    onLine: (line) => onProgress({ url: remote.url, line }),
  });
  await setHead(needs, dir, { head, url: remote.url });
  writeFileSync(join(dir, FETCHED_FILE), String(startedAt));
  rmSync(join(dir, FETCHING_FILE));
}

export const FETCH_ARGUMENTS = [
  'fetch',
  '--prune',
  '--force',
  '--no-tags',
  '--no-write-fetch-head',
  '--no-auto-maintenance',
  '--no-recurse-submodules',
] as const;

/** Errors that old versions of git wrote into otherwise healthy histories. */
const TOLERATED_FSCK_ERRORS = [
  'missingEmail',
  'missingSpaceBeforeDate',
  'badTimezone',
  'badDate',
  'zeroPaddedFilemode',
  'missingTaggerEntry',
];

/** A fetch time in the future was written before the clock was set back and proves nothing. */
function isFetchedSince(dir: string, since: number): boolean {
  const file = join(dir, FETCHED_FILE);
  if (!existsSync(file) || existsSync(join(dir, FETCHING_FILE))) return false;
  const startedAt = Number(readFileSync(file, 'utf8'));
  return startedAt >= since && startedAt <= Date.now();
}

/** Under our lock no live git holds these: a killed git left them. */
function removeStaleLocks(dir: string): void {
  for (const entry of readdirSync(dir, { withFileTypes: true, recursive: true })) {
    const isStale = entry.name.endsWith('.lock') || entry.name.startsWith('tmp_');
    if (entry.isFile() && isStale) rmSync(join(entry.parentPath, entry.name), { force: true });
  }
}

async function remoteHead(git: Git, dir: string, remote: Remote): Promise<string | undefined> {
  const output = await git.text({
    dir,
    remote,
    doing: `asking ${remote.url} for its default branch`,
    args: ['ls-remote', '--symref', '--', remote.url, 'HEAD'],
  });
  return /^ref: refs\/heads\/(.+)\tHEAD$/m.exec(output)?.[1];
}

/** Replaces a HEAD that is detached or points nowhere by the likeliest existing branch. */
async function setHead(
  { git, lock }: Locked,
  dir: string,
  { head, url }: { readonly head: string | undefined; readonly url: string },
): Promise<void> {
  const doing = `finding the default branch of ${url}`;
  const args = ['for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads/'];
  const branches = (await git.text({ dir, doing, args })).split('\n');
  const likely = [head, 'main', 'master', 'trunk', ...branches].find(
    (name) => name !== undefined && branches.includes(name) && isBranchName(name),
  );
  if (likely === undefined) {
    throw new RepositoryFailed(`${url} has no branch to start from: push a first commit to it`);
  }
  await git.run({ dir, doing, lock, args: ['symbolic-ref', 'HEAD', `refs/heads/${likely}`] });
}

async function readHead(git: Git, dir: string): Promise<string> {
  const doing = 'reading the default branch of a mirror';
  return await git.text({ dir, doing, args: ['symbolic-ref', '--short', 'HEAD'] });
}
