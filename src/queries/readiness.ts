import type { Hall } from '../board/hall.ts';
import { answersInTime } from './health.ts';

/** Anyone may check readiness, so the result is cached instead of asking the store each time. */
const KEEP = 200;

export function createReadiness(hall: Hall): () => Promise<boolean> {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let answer: Promise<boolean> = Promise.resolve(false);

  async function check(): Promise<boolean> {
    if (hall.fault() || (!hall.leading() && hall.leaderUrl() === undefined)) return false;
    return (await answersInTime(hall)) !== undefined;
  }

  return () => {
    if (hall.clock.monotonic() - checkedAt >= KEEP) {
      checkedAt = hall.clock.monotonic();
      answer = check();
    }
    return answer;
  };
}
