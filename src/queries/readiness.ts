import type { Hall } from '../board/hall.ts';
import { headInTime } from './health.ts';

/** Anyone may check readiness, so the result is cached instead of asking the store each time. */
const KEEP = 200;

/** Why this node is not ready; undefined when it is. Anyone may read it, so it names no address. */
export function createReadiness(hall: Hall): () => Promise<string | undefined> {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let answer: Promise<string | undefined> = Promise.resolve(undefined);

  async function check(): Promise<string | undefined> {
    if (hall.fault()) return 'the store failed';
    const leading = hall.leading();
    if (leading && leading.cutOffFor() > 0) return 'cut off from the database';
    if (!leading && hall.leaderUrl() === undefined) return `no leader${MORE}`;
    return 'fault' in (await headInTime(hall)) ? `the store does not answer${MORE}` : undefined;
  }

  return () => {
    if (hall.clock.monotonic() - checkedAt >= KEEP) {
      checkedAt = hall.clock.monotonic();
      answer = check();
    }
    return answer;
  };
}

const MORE = '; GET /v1/health has the reason';
