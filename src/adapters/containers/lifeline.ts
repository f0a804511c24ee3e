import { execFile } from 'node:child_process';
import { chmodSync, closeSync, constants, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { INSIDE } from '../cell/layout.ts';

const NAME = 'lifeline';

/**
 * The first process of a container: waits until nobody holds the other end of the lifeline, and ends. With
 * it ends everything in the container, by the kernel and without the runtime. Meanwhile it buries the
 * orphans: a shell that waits for one child takes leave of all.
 */
export function initCommand(forwarder: readonly string[]): string[] {
  const command = [...forwarder, 'cat', `${INSIDE.sockets}/${NAME}`];
  return ['-c', '"$@" </dev/null >/dev/null 2>&1 & wait $!', 'sh', ...command];
}

/** A pipe with a name, which only this process can take the other end of. */
export async function createLifeline(hall: string, path: string): Promise<void> {
  const file = join(hall, NAME);
  await promisify(execFile)('mkfifo', ['-m', '0600', file], { env: { PATH: path } });
  // The keeper is somebody else. Nobody may write but who opens it now, or can open everything.
  chmodSync(file, 0o644);
}

/**
 * Takes the end to write, which can be had only when the first process has the end to read, and takes
 * the name away. From here on, whatever ends this process ends the container. Undefined when the first
 * process did not come.
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

/** A pipe that nobody reads cannot be opened to write without waiting. */
function openToWrite(file: string): number | undefined {
  try {
    return openSync(file, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENXIO') return undefined;
    throw error;
  }
}
