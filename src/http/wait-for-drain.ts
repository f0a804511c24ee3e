import type { Writable } from 'node:stream';

/** Waits until a slow reader has consumed the output or disconnected. Leaves no listener behind. */
export async function waitForDrain(to: Writable): Promise<void> {
  if (!to.writableNeedDrain || to.destroyed) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      to.removeListener('drain', done);
      to.removeListener('close', done);
      resolve();
    };
    to.once('drain', done);
    to.once('close', done);
  });
}
