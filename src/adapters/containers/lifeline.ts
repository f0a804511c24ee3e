import { execFile } from 'node:child_process';
import { chmodSync, closeSync, constants, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { INSIDE } from '../cell/layout.ts';

const NAME = 'lifeline';

/**
 * The first process of a container: exits once no process holds the other end of the lifeline. The
 * kernel then ends everything in the container, without the runtime. Meanwhile it reaps orphans: a
 * shell that waits for one child reaps all.
 */
export function initCommand(forwarder: readonly string[]): string[] {
  const command = [...forwarder, 'cat', `${INSIDE.sockets}/${NAME}`];
  return ['-c', '"$@" </dev/null >/dev/null 2>&1 & wait $!', 'sh', ...command];
}

/** A named pipe whose other end only this process can open. */
export async function createLifeline(hall: string, path: string): Promise<void> {
  const file = join(hall, NAME);
  await promisify(execFile)('mkfifo', ['-m', '0600', file], { env: { PATH: path } });
  // The first process runs as another user. Only this process, or root, may write.
  chmodSync(file, 0o644);
}

/**
 * Opens the write end, which works only once the first process has the read end, and removes the name.
 * From here on, the container ends when this process ends. Undefined when the first process never
 * started.
 */
export async function holdLifeline(
  hall: string,
  isStarting: () => Promise<boolean>,
): Promise<Disposable | undefined> {
  const file = join(hall, NAME);
  for (let tries = 1; ; tries += 1) {
    const fd = openToWrite(file);
    if (fd !== undefined) {
      rmSync(file);
      return { [Symbol.dispose]: () => closeSync(fd) };
    }
    if (tries % CHECK_EVERY === 0 && !(await isStarting())) return undefined;
    await sleep(TRY_EVERY);
  }
}

const TRY_EVERY = 10;
const CHECK_EVERY = 50;

/** A pipe without a reader cannot be opened for writing without blocking. */
function openToWrite(file: string): number | undefined {
  try {
    return openSync(file, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENXIO') return undefined;
    throw error;
  }
}
