import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { BeatNeeds, Told } from './beats.ts';

const { url, token, worker, everyMs, leaseMs }: BeatNeeds = workerData;
let doing: object = {};
/** Whoever works on for a hall that has long given the task to another works in vain. */
const SILENT: Told = { orders: 'silent', run: null, reason: 'the hall did not answer for a lease' };

parentPort?.on('message', (run: object | null) => {
  doing = run ?? {};
});

let heard = performance.now();

for (;;) {
  const told = await beat();
  if (told) heard = performance.now();
  if (told) parentPort?.postMessage(told);
  else if (performance.now() - heard > leaseMs) parentPort?.postMessage(SILENT);
  await pause(everyMs);
}

/** A beat that did not arrive is no news: the next one may. */
async function beat(): Promise<Told | undefined> {
  try {
    const answer = await fetch(`${url}/v1/workers/${worker}/heartbeat`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(doing),
      signal: AbortSignal.timeout(Math.max(everyMs, 5_000)),
    });
    if (answer.status === 401)
      return { orders: 'dismissed', run: null, reason: await answer.text() };
    return answer.ok ? ((await answer.json()) as Told) : undefined;
  } catch {
    return undefined;
  }
}
