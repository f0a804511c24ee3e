import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { HeartbeatResponse } from '../../api/workers.ts';

export interface HeartbeatNeeds {
  readonly url: string;
  readonly token: string;
  readonly worker: string;
  readonly everyMs: number;
  /** How long the hall waits for a silent worker. */
  readonly leaseMs: number;
}

/** The hall's response to a heartbeat, or `silent` when none came for longer than a lease. */
export interface HeartbeatReply {
  readonly orders: HeartbeatResponse['orders'] | 'dismissed' | 'silent';
  readonly run: string | null;
  readonly reason: string | null;
}

export interface Heartbeats {
  /** Sets the run that each heartbeat reports from now on. */
  doing(run: { readonly run: string; readonly fence: number } | null): void;
  stop(): Promise<void>;
}

/** Sends heartbeats from a separate thread, so they continue while a tool call or the main thread is busy. */
export function startHeartbeats(
  needs: HeartbeatNeeds,
  onReply: (reply: HeartbeatReply) => void,
): Heartbeats {
  const script = join(import.meta.dirname, `heartbeat-thread${extname(import.meta.filename)}`);
  const thread = new Worker(script, { workerData: needs });
  thread.on('message', onReply);
  // If the thread dies, the heartbeats stop and the hall gives the task to another worker.
  thread.unref();
  return {
    doing: (run) => thread.postMessage(run),
    async stop() {
      await thread.terminate();
    },
  };
}
