import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '../../support/temp-folder.ts';

/** Programs that a generated command may name; each only records that it was started. */
export const NAMES = [
  ...['curl', 'wget', 'nc', 'ls', 'cat', 'grep', 'node', 'npm', 'git', 'make', 'tool', 'rm', 'sed'],
  ...['awk', 'find', 'sort', 'tar', 'python', 'id', 'touch', 'head', 'wc', 'cp', 'mkdir'],
];

/** Programs that run others are real, or nothing would be seen of what they run. */
const REAL = ['env', 'xargs', 'bash', 'sh', 'timeout', 'nice', 'nohup', 'setsid', 'stdbuf'];

export interface Recorder extends Disposable {
  /** Which programs bash starts for a command; undefined when it could not be run to its end. */
  started(command: string): readonly string[] | undefined;
}

/** Runs commands in real bash, in a folder of its own, where every program only writes its name down. */
export function createRecorder(): Recorder {
  const folder = tempFolder();
  const bin = join(folder.path, 'bin');
  const work = join(folder.path, 'work');
  const log = join(folder.path, 'log');
  for (const path of [bin, work, join(work, 'sub')]) mkdirSync(path);
  for (const name of NAMES) {
    // Its own name and not $0, which is the shell's where it is sourced.
    writeFileSync(join(bin, name), `#!/bin/sh\nprintf '%s\\0' '${name}' >> '${log}'\n`);
    chmodSync(join(bin, name), 0o755);
  }
  for (const name of REAL) {
    const { stdout } = spawnSync('/bin/sh', ['-c', `command -v ${name}`], { encoding: 'utf8' });
    symlinkSync(stdout.trim(), join(bin, name));
  }
  for (const name of ['a.txt', 'b.txt', 'sub/c.js']) writeFileSync(join(work, name), `${name}\n`);
  const missing = `command_not_found_handle() { printf '%s\\0' "$1" >> '${log}'; return 127; }\n`;
  const prelude = join(folder.path, 'prelude');
  writeFileSync(prelude, missing);
  return {
    started(command) {
      writeFileSync(log, '');
      const { pid, status, error } = spawnSync(
        join(bin, 'setsid'),
        ['/bin/bash', '--norc', '--noprofile', '-c', command],
        {
          cwd: work,
          timeout: 3_000,
          killSignal: 'SIGKILL',
          // The fourth pipe is held by everything that was started, so that nothing is left when it ends.
          stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
          input: '',
          maxBuffer: 1 << 20,
          env: { PATH: bin, HOME: work, BASH_ENV: prelude, LC_ALL: 'C.UTF-8' },
        },
      );
      if (error || status === null) {
        endGroup(pid);
        return undefined;
      }
      return [...new Set(readFileSync(log, 'utf8').split('\0').filter(Boolean))];
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

/** An endless command lives on in its subshells and would be counted with the next one. */
function endGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
