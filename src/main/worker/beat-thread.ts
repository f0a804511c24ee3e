import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { BeatNeeds, Told } from './beats.ts';

const { url, token, worker, everyMs }: BeatNeeds = workerData;
let doing: object = {};

parentPort?.on('message', (run: object | null) => {
  doing = run ?? {};
});

for (;;) {
  const told = await beat();
  if (told) parentPort?.postMessage(told);
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
