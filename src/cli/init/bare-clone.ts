import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import type { Environment } from '../../config/variable-references.ts';
import { InvalidUsage } from '../invalid-usage.ts';

const run = promisify(execFile);

interface CloneNeeds {
  /** A folder, or an address that git can clone from. */
  readonly from: string;
  /** The folder of the clone; one from an earlier try is used as it is. */
  readonly to: string;
  readonly environment: Environment;
}

/**
 * Makes a bare clone, which the hall can push merged work to: git refuses to push to a branch that is
 * checked out.
 */
export async function makeBareClone({ from, to, environment }: CloneNeeds): Promise<void> {
  if (!existsSync(to)) await git(['clone', '--quiet', '--bare', '--', from, to], environment);
  if ((await textFrom(to, environment, 'rev-parse', '--verify', 'HEAD^{commit}')) === null) {
    throw new InvalidUsage(`${from} has no commit yet: commit something, then try again`);
  }
}

/** What git prints about a repository; null when it fails. */
export async function textFrom(
  repository: string,
  environment: Environment,
  ...args: readonly string[]
): Promise<string | null> {
  const safe = ['-c', 'safe.directory=*', '-C', repository];
  return git([...safe, ...args], environment).catch(() => null);
}

/** The name of the repository in a path or an address. */
export function repositoryName(from: string): string {
  return basename(from.replace(/[\\/]+$/, '').replaceAll(':', '/')).replace(/\.git$/, '');
}

async function git(args: readonly string[], environment: Environment): Promise<string> {
  try {
    const { stdout } = await run('git', args, {
      env: { ...environment, LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0' },
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout;
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string };
    const [said = message] = stderr.trim().split('\n').slice(-1);
    throw new InvalidUsage(`git: ${said.replace(/^fatal: /, '')}`, { cause: error });
  }
}
