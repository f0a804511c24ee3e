import {
  closeSync,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

/** How many small writes per second the disk can sync, one at a time. */
export interface DiskFloor {
  /** Each write extends the file, as with a new log: its length has to be written too. */
  readonly appending: number;
  /** Each write goes to existing blocks, as with a recycled log. */
  readonly recycled: number;
  /** The same with `fsync`, which SQLite calls: neither of its drivers for Node is built with fdatasync. */
  readonly recycledFully: number;
}

const PAGE = Buffer.alloc(4096, 7);
const RECYCLED_PAGES = 256;

export function measureDisk(folder: string, seconds: number): DiskFloor {
  const share = seconds / 3;
  const around = (at: number) => at % RECYCLED_PAGES;
  return {
    appending: syncsPerSecond(folder, share, { page: (at) => at, sync: fdatasyncSync }),
    recycled: syncsPerSecond(folder, share, { page: around, sync: fdatasyncSync }),
    recycledFully: syncsPerSecond(folder, share, { page: around, sync: fsyncSync }),
  };
}

interface Way {
  readonly page: (at: number) => number;
  readonly sync: (file: number) => void;
}

function syncsPerSecond(folder: string, seconds: number, { page, sync }: Way): number {
  const path = join(folder, 'disk-floor');
  const file = openSync(path, 'w');
  try {
    for (let at = 0; at < RECYCLED_PAGES; at += 1) writeSync(file, PAGE, 0, PAGE.length, at * 4096);
    fdatasyncSync(file);
    if (page(RECYCLED_PAGES) === RECYCLED_PAGES) ftruncateSync(file, 0);
    const from = performance.now();
    const until = from + seconds * 1000;
    let count = 0;
    let now = from;
    for (; now < until; now = performance.now()) {
      writeSync(file, PAGE, 0, PAGE.length, page(count) * 4096);
      sync(file);
      count += 1;
    }
    return (count * 1000) / (now - from);
  } finally {
    closeSync(file);
    unlinkSync(path);
  }
}
