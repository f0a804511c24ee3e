import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { visible, visibleLines } from '../../api/escape-control-characters.ts';
import type { Cli, CommandSpec } from '../command.ts';

const run = promisify(execFile);

/** There is no change to show. */
class NoDiff extends Error {
  override readonly name = 'NoDiff';
}

export const THREAD_DIFF: CommandSpec = {
  summary: 'show what the branch of a thread changes, where its repository is on this machine',
  arguments: [{ usage: '<thread>', about: 'the thread, such as th-11' }],
  options: [{ flags: '--stat', about: 'show only the changed files' }],
  examples: ['guildhall thread diff th-11', 'guildhall thread diff th-11 --stat'],
  run: async (cli, input) => {
    const { thread } = await cli.client().call('getThread', { path: { id: input.argument(0) } });
    const { repo, base } = await cli
      .client()
      .call('getProject', { path: { name: thread.project } });
    const folder = folderOf(repo);
    const commit = thread.head ?? thread.branch;
    if (commit === null) throw new NoDiff(`${thread.id} has no commit yet`);
    const from = base ?? 'HEAD';
    const args = [...(input.flag('stat') ? ['--stat'] : []), `${from}...${commit}`, '--'];
    const diff = await readDiff(cli, folder, args);
    cli.out.answer({ thread: thread.id, from, commit, diff }, () => visibleLines(diff.trimEnd()));
    if (diff === '') {
      const state = thread.pr?.state === 'merged' ? 'is merged' : 'changes nothing';
      cli.out.say(`${thread.id} ${state}: there is no difference to ${visible(from)}`);
    }
  },
};

function folderOf(repo: string | null): string {
  const folder = repo?.startsWith('file:') ? repo.slice('file:'.length) : undefined;
  if (folder !== undefined && existsSync(folder)) return folder;
  const where = repo === null ? 'its project has no repository' : `${visible(repo)} is elsewhere`;
  throw new NoDiff(`there is no repository to read on this machine: ${where}`);
}

/** No program that the repository or the user configured runs on what an agent wrote. */
async function readDiff(
  { environment }: Cli,
  folder: string,
  args: readonly string[],
): Promise<string> {
  const plain = ['--no-ext-diff', '--no-textconv', '--no-color'];
  const safe = ['-c', 'safe.directory=*', '-C', folder, 'diff', ...plain];
  const env = {
    PATH: environment['PATH'],
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
  };
  try {
    const { stdout } = await run('git', [...safe, ...args], { env, maxBuffer: MAX_BYTES });
    return stdout;
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string };
    throw new NoDiff(`git: ${stderr.trim() || message}`, { cause: error });
  }
}

const MAX_BYTES = 256 * 1024 * 1024;
