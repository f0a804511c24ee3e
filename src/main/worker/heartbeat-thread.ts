import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { HeartbeatNeeds, HeartbeatReply } from './heartbeats.ts';

const { url, token, worker, everyMs, leaseMs }: HeartbeatNeeds = workerData;
let current: object = {};
/** By now the hall has given the task to another worker, so further work would be wasted. */
const SILENT: HeartbeatReply = {
  orders: 'silent',
  run: null,
  reason: `the hall did not answer for ${leaseMs / 1_000} s`,
};

parentPort?.on('message', (run: object | null) => {
  current = run ?? {};
});

/**
 * A lease must survive a lost heartbeat, so a request times out while there is time to send another. With
 * a timeout as long as the interval, one lost request ended the lease.
 */
const spare = leaseMs - everyMs;
const timeoutMs = Math.max(1_000, Math.min(spare / 2, 30_000));
const retryMs = Math.min(everyMs, spare / 8, 5_000);

let lastReply = performance.now();

for (;;) {
  const reply = await sendHeartbeat();
  if (reply) lastReply = performance.now();
  if (reply) parentPort?.postMessage(reply);
  else if (performance.now() - lastReply > leaseMs) parentPort?.postMessage(SILENT);
  await pause(reply ? everyMs : retryMs);
}

/** A failed heartbeat means nothing; the next one may arrive. */
async function sendHeartbeat(): Promise<HeartbeatReply | undefined> {
  try {
    const answer = await fetch(`${url}/v1/workers/${worker}/heartbeat`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(current),
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (answer.status === 401)
      return { orders: 'dismissed', run: null, reason: await answer.text() };
    return answer.ok ? ((await answer.json()) as HeartbeatReply) : undefined;
  } catch {
    return undefined;
  }
}
