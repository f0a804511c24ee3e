import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createGitWorkspaces } from '../../src/adapters/git/workspaces.ts';
import { createUnisolatedCells } from '../../src/adapters/processes/unisolated-cells.ts';
import type { Mirror } from '../../src/ports/workspace.ts';
import type { Lab } from '../lab.ts';
import { compare, interleave, type Read } from '../measuring/rounds.ts';
import { amount } from '../report/print-row.ts';
import { atMost } from '../report/row.ts';
import { type Cell, rowFrom } from './cell.ts';

const run = promisify(execFile);
const PATH = process.env['PATH'] ?? '';

export const P9: Cell = {
  title: 'preparing a workspace',
  minutes: ({ rounds, isQuick }) => 0.5 + rounds * (isQuick ? 0.1 : 1),
  async run(lab) {
    const { files } = lab.options.sizes;
    const upstream = await makeRepository(lab, files);
    const mirror = await createGitWorkspaces({
      root: join(await lab.room(), 'git'),
      path: PATH,
      secrets: () => [],
      gnupgHome: null,
      onProgress: () => undefined,
    }).mirror({ url: upstream, credential: null });
    const bare = join(mirror.objects, '..');
    const peers = [
      ['git worktree add', atMost(1.3), (to: string) => worktree(bare, to)],
      ['git clone --no-local', atMost(0.6), (to: string) => clone(bare, to)],
    ] as const;
    const [found = []] = await interleave(
      lab.options.rounds,
      [timed(lab, 'ours', files, (folder) => ours(mirror, folder))],
      peers.map(([name, , make]) => timed(lab, name, files, (to) => make(join(to, 'work')))),
    );
    const measure = `prepare a workspace of ${files.toLocaleString('en')} files`;
    const rows = peers.map(([peer, goal], p) =>
      rowFrom({ cell: 'P9', measure, unit: 's', goal }, compare(found[p] ?? []), {
        ours: 'ours',
        peer,
      }),
    );
    return { rows, checks: [], leftOut: [] };
  },
};

/** P10 includes the isolation of a cell; here only the git in it is measured. */
async function ours(mirror: Mirror, folder: string): Promise<void> {
  const commit = await mirror.tip(mirror.defaultBranch);
  if (commit === null) throw new Error('the repository has no commit');
  await using cell = await createUnisolatedCells({ path: PATH }).open({
    name: 'p9',
    folder,
    readable: [],
    sockets: {},
    limits: { cpus: null, memoryBytes: null, pids: null },
    tenant: { instance: 'bench', project: null, image: null },
  });
  const author = { name: 'Bench', email: 'bench@hall.test' };
  const { objects, defaultBranch: base } = mirror;
  await mirror.checkOut(cell, { commit, branch: 'hall/bench/issue-1', base, who: author, objects });
}

async function worktree(bare: string, to: string): Promise<void> {
  await run('git', [`--git-dir=${bare}`, 'worktree', 'add', '--quiet', '--detach', to]);
}

async function clone(bare: string, to: string): Promise<void> {
  await run('git', ['clone', '--quiet', '--no-local', bare, to]);
}

/** Seconds until every file exists; a reading with missing files is void. */
function timed(
  lab: Lab,
  what: string,
  files: number,
  make: (folder: string) => Promise<void>,
): Read {
  return async () => {
    const folder = await mkdtemp(join(lab.folder, 'p9-'));
    const from = performance.now();
    await make(folder);
    const value = (performance.now() - from) / 1000;
    lab.progress.say(`  ${what}: ${amount(value, 's')}`);
    const entries = await readdir(join(folder, 'work'), { recursive: true, withFileTypes: true });
    const count = entries.filter(
      (entry) => entry.isFile() && !/\/\.git(\/|$)/.test(join(entry.parentPath, entry.name)),
    ).length;
    await rm(folder, { recursive: true });
    return {
      value,
      void: count === files ? undefined : `the workspace has ${count} of ${files} files`,
    };
  };
}

/** Files of a few hundred bytes in a few hundred folders, like sources. */
async function makeRepository(lab: Lab, files: number): Promise<string> {
  const path = join(await lab.room(), 'upstream.git');
  await run('git', ['init', '--quiet', '--bare', '--initial-branch=main', path]);
  const importer = spawn('git', [`--git-dir=${path}`, 'fast-import', '--quiet'], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const lines = ['commit refs/heads/main', 'committer Bench <bench@hall.test> 1700000000 +0000'];
  lines.push('data 5', 'Begin');
  for (let n = 0; n < files; n += 1) {
    const text = `export const value${n} = ${n};\n`.repeat(20);
    lines.push(`M 100644 inline src/part-${n % 250}/file-${n}.ts`, `data ${text.length}`, text);
  }
  importer.stdin.end(`${lines.join('\n')}\n`);
  await once(importer, 'close');
  return path;
}
