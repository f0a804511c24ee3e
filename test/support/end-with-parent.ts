import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs a script in a folder and removes the folder as soon as this process is gone, even by kill -9: then
 * the pipe closes. In its own session, so that Ctrl-C does not end it too early.
 */
export function watchOver(folder: string, script: string): ChildProcess {
  const whole = `cat >/dev/null\n${script}\ncd / && rm -rf --one-file-system "$0"`;
  const watcher = spawn('/bin/sh', ['-c', whole, folder], {
    cwd: folder,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watcher.unref();
  return watcher;
}

/** The watcher removes the folder, so only one place does. */
export async function dismiss(watcher: ChildProcess): Promise<void> {
  watcher.ref();
  const ended = once(watcher, 'exit');
  watcher.stdin?.end();
  await ended;
}
