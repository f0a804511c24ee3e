import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { Played } from './campaign.ts';

interface Told {
  readonly stories: number;
  readonly played?: Played;
}

/** Plays stories in another process. Rejects when that process ends without a result. */
export function playElsewhere(
  args: readonly string[],
  progress: (stories: number) => void,
): Promise<Played> {
  const { promise, resolve, reject } = Promise.withResolvers<Played>();
  const child = fork(join(import.meta.dirname, 'play-seeds.ts'), [...args], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let played: Played | undefined;
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-4_000);
  });
  child.on('message', ({ stories, played: all }: Told) => {
    progress(stories);
    played = all ?? played;
  });
  child.once('error', reject);
  child.once('close', (code, signal) => {
    if (played && code === 0) resolve(played);
    else reject(new Error(`playing ${args.join(' ')} ended with ${signal ?? code}: ${said}`));
  });
  return promise;
}

/** Works through a list with so many at once, and keeps its order. */
export async function together<T, R>(
  things: readonly T[],
  atOnce: number,
  work: (thing: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const waiting = [...things.entries()];
  async function lane(): Promise<void> {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      results[next[0]] = await work(next[1]);
    }
  }
  await Promise.all(Array.from({ length: atOnce }, () => lane()));
  return results;
}
