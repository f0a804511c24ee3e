import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import {
  createGitWorkspaces,
  type GitMirror,
  type GitSettings,
} from '../../src/adapters/git/workspaces.ts';
import { createUnisolatedCells } from '../../src/adapters/processes/unisolated-cells.ts';
import type { Cell } from '../../src/ports/cell.ts';
import type { Harvest, HarvestPlan, Mirror, Work } from '../../src/ports/workspace.ts';
import { NO_TENANT } from './no-tenant.ts';
import { tempFolder } from './temp-folder.ts';

export const ADA = { name: 'Ada', email: 'ada@hall.test' };
const PERSON = { name: 'A Person', email: 'person@hall.test' };
export const PATH: string = process.env['PATH'] ?? '';

/** Real git in a temporary folder, started as a person would. */
export function gitAs(cwd: string, ...args: string[]): string {
  const env = environmentIn(cwd);
  return execFileSync('git', args, { cwd, env, encoding: 'utf8', stdio: 'pipe' }).trimEnd();
}

/** The same without blocking, for a remote that this process serves. */
export async function gitBeside(cwd: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', args, { cwd, env: environmentIn(cwd) });
  return stdout.trimEnd();
}

function environmentIn(cwd: string) {
  return {
    PATH,
    HOME: cwd,
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_CEILING_DIRECTORIES: dirname(cwd),
    GIT_AUTHOR_NAME: PERSON.name,
    GIT_AUTHOR_EMAIL: PERSON.email,
    GIT_COMMITTER_NAME: PERSON.name,
    GIT_COMMITTER_EMAIL: PERSON.email,
  };
}

export function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** A repository of a person, the hall's git next to it, and cells to work in. */
export interface GitFixture extends Disposable {
  readonly folder: string;
  /** Bare. */
  readonly upstream: string;
  readonly root: string;
  readonly settings: GitSettings;
  /** A person commits to a branch and pushes it. */
  commitUpstream(files: Readonly<Record<string, string>>, branch?: string): string;
  mirror(): Promise<GitMirror>;
  openCell(path?: string): Promise<Cell>;
  /** A cell with the default branch checked out for work on `branch`. */
  begin(mirror: Mirror, branch?: string, path?: string): Promise<OpenCheckout>;
  upstreamTip(branch: string): string | null;
}

export interface OpenCheckout {
  readonly cell: Cell;
  readonly base: string;
  /** Git as the agent uses it. */
  git(...args: string[]): string;
  write(files: Readonly<Record<string, string>>): void;
  harvest(plan?: Partial<HarvestPlan>): Promise<Harvest>;
}

export const THREAD = 'hall/ada/issue-1';

export function gitFixture(settings: Partial<GitSettings> = {}): GitFixture {
  const temp = tempFolder();
  const upstream = temp.file('upstream.git');
  const person = temp.file('person');
  gitAs(temp.path, 'init', '--quiet', '--bare', '--initial-branch=main', upstream);
  gitAs(temp.path, 'clone', '--quiet', upstream, person);
  const own: GitSettings = {
    root: temp.file('git'),
    path: PATH,
    secrets: () => [],
    gnupgHome: null,
    onProgress: () => undefined,
    ...settings,
  };
  const workspaces = createGitWorkspaces(own);
  let cells = 0;

  const fixture: GitFixture = {
    folder: temp.path,
    upstream,
    root: own.root,
    settings: own,
    commitUpstream: (files, branch = 'main') => pushCommit(person, files, branch),
    mirror: () => workspaces.mirror({ url: upstream, credential: null }),
    async openCell(path = PATH) {
      cells += 1;
      const folder = mkdtempSync(join(temp.path, `cell-${cells}-`));
      return await createUnisolatedCells({ path }).open({
        name: `cell-${cells}`,
        folder,
        readable: [],
        sockets: {},
        limits: { cpus: null, memoryBytes: null, pids: null },
        tenant: NO_TENANT,
      });
    },
    begin: async (mirror, branch = THREAD, path = PATH) =>
      begin(await fixture.openCell(path), mirror, branch),
    upstreamTip(branch) {
      const listed = gitAs(
        upstream,
        'for-each-ref',
        '--format=%(objectname)',
        `refs/heads/${branch}`,
      );
      return listed === '' ? null : listed;
    },
    [Symbol.dispose]: () => temp[Symbol.dispose](),
  };
  fixture.commitUpstream({ 'readme.md': 'a hall\n', 'src/a.txt': 'one\ntwo\n' });
  return fixture;
}

/** On top of the branch, or of the default branch if it does not exist yet. */
function pushCommit(
  person: string,
  files: Readonly<Record<string, string>>,
  branch: string,
): string {
  gitAs(person, 'fetch', '--quiet', '--prune', 'origin');
  const known = gitAs(person, 'for-each-ref', '--format=%(refname)', 'refs/remotes/origin');
  const from = [branch, 'main']
    .map((name) => `refs/remotes/origin/${name}`)
    .find((ref) => known.split('\n').includes(ref));
  if (from) gitAs(person, 'checkout', '--quiet', '--detach', from);
  write(person, files);
  gitAs(person, 'add', '--all');
  gitAs(person, 'commit', '--quiet', '-m', `Change ${Object.keys(files).join(', ')}`);
  gitAs(person, 'push', '--quiet', 'origin', `HEAD:refs/heads/${branch}`);
  return gitAs(person, 'rev-parse', 'HEAD');
}

async function begin(cell: Cell, mirror: Mirror, branch: string): Promise<OpenCheckout> {
  const base = await mirror.tip(mirror.defaultBranch);
  if (base === null) throw new Error('the default branch is not there');
  await mirror.checkOut(cell, {
    commit: base,
    branch,
    base: mirror.defaultBranch,
    who: ADA,
    objects: mirror.objects,
  });
  return {
    cell,
    base,
    git: (...args) => gitAs(cell.paths.work, ...args),
    write: (files) => write(cell.paths.work, files),
    harvest: (plan) => mirror.harvest(cell, { ...planFor(base), ...plan }),
  };
}

export function planFor(base: string): HarvestPlan {
  return {
    run: 'r-1',
    base,
    who: ADA,
    trailers: ['Co-authored-by: Guildhall <hall@hall.test>'],
    signingKey: null,
    leftovers: 'Take in what was left',
    bounds: { files: 100, lines: 10_000, bytes: 10_000_000 },
  };
}

/** The harvest, which must be work. */
export function asWork(harvest: Harvest): Work {
  if (harvest.is !== 'work') throw new Error(`not work but ${JSON.stringify(harvest)}`);
  return harvest;
}
