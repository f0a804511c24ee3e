import type { Writable } from 'node:stream';

/** Waits until a slow reader has consumed the output or disconnected. Leaves no listener behind. */
export async function waitForDrain(to: Writable): Promise<void> {
  if (!to.writableNeedDrain || to.destroyed) return;
  await new Promise<void>((resolve) => {
    const go = () => {
      to.removeListener('drain', go);
      to.removeListener('close', go);
      resolve();
    };
    to.once('drain', go);
    to.once('close', go);
  });
}
