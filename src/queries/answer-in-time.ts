import type { Duration } from '../domain/ids.ts';
import type { Clock } from '../ports/clock.ts';

/** How long the store may take when somebody asks how the hall is. */
const PATIENCE: Duration = 2_000;

/** What a read returned, or `instead` when it failed or took too long. */
export async function answerInTime<T>(
  clock: Clock,
  reading: Promise<T>,
  instead: (fault: Error | undefined) => T,
): Promise<T> {
  let timer: { cancel(): void } | undefined;
  const late = new Promise<T>((resolve) => {
    timer = clock.after(PATIENCE, () => resolve(instead(undefined)));
  });
  const answer = await Promise.race([reading.then((read) => read, instead), late]);
  timer?.cancel();
  return answer;
}
