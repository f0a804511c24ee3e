import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';

/** Other programs may fill a disk too, so this is far more than the hall writes between two looks. */
const TIGHT_BYTES = 256 * 1024 * 1024;

const LOOK_EVERY = 1_000;

/** Tells whether the disk of a file may soon be full. */
export function createTightDisk(path: string): () => boolean {
  const folder = dirname(path);
  let lookedAt = Number.NEGATIVE_INFINITY;
  let isTight = false;
  return () => {
    const now = performance.now();
    if (now - lookedAt < LOOK_EVERY) return isTight;
    lookedAt = now;
    const { bavail, bsize } = statfsSync(folder);
    isTight = bavail * bsize < TIGHT_BYTES;
    return isTight;
  };
}
