import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A child process whose output lines can be awaited. It does not outlive the test. */
export interface Child extends Disposable {
  readonly process: ChildProcess;
  readonly lines: readonly string[];
  /** Resolves with the first line that starts like this, or fails when the process ends without one. */
  said(start: string): Promise<string>;
  ended(): Promise<number | null>;
}

/** Runs a script of this folder, optionally wrapped in another command, such as one that changes its user. */
export function runScript(
  script: string,
  args: readonly string[],
  wrapper: readonly string[] = [],
): Child {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const [command = process.execPath, ...rest] = [...wrapper, process.execPath, path, ...args];
  const child = spawn(command, rest, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines: string[] = [];
  const listeners = new Set<() => void>();
  let tail = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (tail + text).split('\n');
    tail = parts.pop() ?? '';
    lines.push(...parts);
    for (const listener of listeners) listener();
  });
  const ended = once(child, 'close').then(([code]) => code as number | null);

  return {
    process: child,
    lines,
    async said(start) {
      for (;;) {
        const line = lines.find((each) => each.startsWith(start));
        if (line !== undefined) return line;
        const next = new Promise<boolean>((resolve) => listeners.add(() => resolve(true)));
        const goesOn = await Promise.race([next, ended.then(() => false)]);
        if (!goesOn && !lines.some((each) => each.startsWith(start))) {
          throw new Error(`the process ended without printing ${start}: ${lines.join(' | ')}`);
        }
      }
    },
    ended: () => ended,
    [Symbol.dispose]: () => void child.kill('SIGKILL'),
  };
}
