import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { HeartbeatResponse } from '../../api/workers.ts';

export interface HeartbeatNeeds {
  readonly url: string;
  readonly token: string;
  readonly worker: string;
  readonly everyMs: number;
  /** How long the hall believes in a worker that it does not hear. */
  readonly leaseMs: number;
}

/** What the hall answers to a sign of life, or that it did not for longer than a lease. */
export interface HeartbeatReply {
  readonly orders: HeartbeatResponse['orders'] | 'dismissed' | 'silent';
  readonly run: string | null;
  readonly reason: string | null;
}

export interface Heartbeats {
  /** What the worker believes it is doing; told with each beat from now on. */
  doing(run: { readonly run: string; readonly fence: number } | null): void;
  stop(): Promise<void>;
}

/**
 * Shows the hall that the worker lives, from a thread of its own: however long a tool call takes or
 * this thread is busy, the beat goes on.
 */
export function startHeartbeats(
  needs: HeartbeatNeeds,
  told: (told: HeartbeatReply) => void,
): Heartbeats {
  const script = join(import.meta.dirname, `heartbeat-thread${extname(import.meta.filename)}`);
  const thread = new Worker(script, { workerData: needs });
  thread.on('message', told);
  // A thread that died beats no more: the hall finds the worker silent and gives its task to another.
  thread.unref();
  return {
    doing: (run) => thread.postMessage(run),
    async stop() {
      await thread.terminate();
    },
  };
}
