import { randomUUID } from 'node:crypto';
import { link, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Only the owner can read it. */
const OWNER_ONLY = 0o600;

/**
 * Replaces a file: after a crash or a power cut at any moment it has the old content or the new one. A
 * file written in place is empty until its content reaches the disk, often seconds after its name does.
 */
export async function writeDurably(
  path: string,
  content: string | Buffer,
  mode: number = OWNER_ONLY,
): Promise<void> {
  const unfinished = `${path}.${randomUUID()}.part`;
  try {
    await writeFile(unfinished, content, { mode, flag: 'wx' });
    await moveDurably(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Creates a file that is complete from the start. False, and nothing is changed, if there is one by that name. */
export async function createDurably(path: string, content: string): Promise<boolean> {
  const unfinished = `${path}.${randomUUID()}.part`;
  try {
    await writeFile(unfinished, content, { mode: OWNER_ONLY, flag: 'wx' });
    await sync(unfinished);
    // A rename would replace a file that another process created meanwhile.
    await link(unfinished, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(unfinished, { force: true });
  }
  await sync(dirname(path));
  return true;
}

/** Gives a complete file its name once its content is on disk; the name is on disk too on return. */
export async function moveDurably(from: string, to: string): Promise<void> {
  await sync(from);
  await rename(from, to);
  await sync(dirname(to));
}

/** Waits until the content of a file, or the names in a folder, would survive a power cut. */
export async function sync(path: string): Promise<void> {
  await using file = await open(path, 'r');
  await file.sync();
}
