import { chmodSync, closeSync, constants, fchmodSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { type Engine, requireEngine } from './engine.ts';

/**
 * A runc before 1.1.8 gives a tmpfs the mode of the folder it is mounted on, and creates that folder for
 * root alone if the image lacks it: from the second start on only root could write to /tmp. So the folder
 * gets the right mode before the first start. Docker cannot copy into a read-only root folder.
 */
export async function prepareTmp(engine: Engine, id: string, folder: string): Promise<void> {
  if (engine.kind === 'docker') return;
  const path = join(folder, 'tmp');
  mkdirSync(path);
  chmodSync(path, TMP_MODE);
  await requireEngine(engine, ['cp', path, `${id}:/`]);
}

/**
 * With Docker the same for a container that has just started, where this process is root. Otherwise it
 * depends on the image; ours has a /tmp.
 */
export function correctTmp({ kind }: Engine, initPid: number): void {
  if (kind !== 'docker' || process.getuid?.() !== 0) return;
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
  try {
    // An image may have a link there, and its target would be looked up on the host.
    const fd = openSync(`/proc/${initPid}/root/tmp`, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    fchmodSync(fd, TMP_MODE);
    closeSync(fd);
  } catch (error) {
    // The container may have ended; the next step says so.
    if (!(error instanceof Error && 'errno' in error)) throw error;
  }
}

const TMP_MODE = 0o1777;
