import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { RepositoryFailed } from '../../ports/workspace.ts';

/** Held while the descriptor is open here or in a program that inherited it. */
export interface FileLock extends Disposable {
  readonly fd: number;
}

interface LockRequest {
  readonly file: string;
  readonly kind: 'exclusive' | 'shared';
  /** 0 tries once. */
  readonly seconds: number;
}

/**
 * A kernel lock on a file, or undefined when another process held it all that time.
 *
 * Node has no flock(2), but the lock belongs to the open file, not to the process that took it:
 * flock(1) locks our descriptor and exits. Every git under the lock inherits the descriptor, so after a
 * kill -9 of this process the lock lasts exactly until its git has ended too; it can never become
 * stale.
 */
export async function lockFile(
  { path }: { readonly path: string },
  request: LockRequest,
): Promise<FileLock | undefined> {
  const fd = openSync(request.file, 'a', 0o600);
  const isHeld = await flock(path, fd, request);
  if (isHeld) return { fd, [Symbol.dispose]: () => closeSync(fd) };
  closeSync(fd);
  return undefined;
}

/** Like `lockFile`, but throws without the lock. */
export async function lockExclusively(
  needs: { readonly path: string },
  file: string,
): Promise<FileLock> {
  const lock = await lockFile(needs, { file, kind: 'exclusive', seconds: LOCK_TIMEOUT });
  if (lock) return lock;
  throw new RepositoryFailed(
    `${file} has been locked for ${LOCK_TIMEOUT / 60} minutes by another git process on this machine: check what it is doing, or stop it`,
  );
}

/** Longer than the longest fetch that we allow. */
const LOCK_TIMEOUT = 70 * 60;

function flock(path: string, fd: number, { kind, seconds }: LockRequest): Promise<boolean> {
  const args = [kind === 'exclusive' ? '-x' : '-s', ...(seconds === 0 ? ['-n'] : []), '3'];
  const child = spawn('flock', args, {
    env: { PATH: path },
    stdio: ['ignore', 'ignore', 'ignore', fd],
  });
  const timer = seconds === 0 ? undefined : setTimeout(() => child.kill('SIGKILL'), seconds * 1000);
  return new Promise((settle, fail) => {
    child.once('error', (error) => {
      clearTimeout(timer);
      const because = 'flock could not be started; install util-linux';
      fail(new RepositoryFailed(because, { cause: error }));
    });
    child.once('close', (code) => {
      clearTimeout(timer);
      settle(code === 0);
    });
  });
}
