import type { Hall } from '../board/hall.ts';
import { answersInTime } from './health.ts';

/** Anybody may ask whether the hall is ready, so the store is not asked each time. */
const KEEP = 200;

export function createReadiness(hall: Hall): () => Promise<boolean> {
  let asked = Number.NEGATIVE_INFINITY;
  let answer: Promise<boolean> = Promise.resolve(false);

  async function look(): Promise<boolean> {
    if (hall.fault() || (!hall.leading() && hall.leaderUrl() === undefined)) return false;
    return (await answersInTime(hall)) !== undefined;
  }

  return () => {
    if (hall.clock.monotonic() - asked >= KEEP) {
      asked = hall.clock.monotonic();
      answer = look();
    }
    return answer;
  };
}
