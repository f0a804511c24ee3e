import { spawn } from 'node:child_process';

/** Git in the bare repositories of the emulator. */
export interface Git {
  /** Its output without the last line break. Throws on any exit code but 0. */
  run(dir: string, args: readonly string[], more?: Input): Promise<string>;
  /** For calls whose exit code is an answer. */
  exec(dir: string, args: readonly string[], more?: Input): Promise<GitResult>;
  readonly env: Readonly<Record<string, string>>;
}

interface Input {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface GitResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function createGit(path: string, home: string): Git {
  const env = {
    PATH: path,
    HOME: home,
    LC_ALL: 'C.UTF-8',
    TZ: 'UTC',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_AUTHOR_NAME: 'Forge',
    GIT_AUTHOR_EMAIL: 'forge@forge.test',
    GIT_COMMITTER_NAME: 'Forge',
    GIT_COMMITTER_EMAIL: 'forge@forge.test',
  };
  const exec: Git['exec'] = (dir, args, more = {}) =>
    resultOf(['--git-dir', dir, ...args], { ...env, ...more.env }, more.stdin ?? '');

  return {
    env,
    exec,
    async run(dir, args, more) {
      const { code, stdout, stderr } = await exec(dir, args, more);
      if (code === 0) return stdout.trimEnd();
      throw new Error(`git ${args.join(' ')} failed with exit code ${code} in ${dir}: ${stderr}`);
    },
  };
}

function resultOf(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  stdin: string,
): Promise<GitResult> {
  const { promise, resolve, reject } = Promise.withResolvers<GitResult>();
  const child = spawn('git', args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  child.once('error', reject);
  child.once('close', (code) => resolve({ code, ...output }));
  // A git that exits early closes its end; its exit code says so.
  child.stdin.on('error', () => undefined);
  child.stdin.end(stdin);
  return promise;
}
