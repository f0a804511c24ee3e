import { createClock } from '../adapters/system/clock.ts';
import type { Facts } from '../ports/log.ts';
import type { Needs } from './open-store.ts';

/** What a command on the store is given: what it had to deal with is said to a person, in words and once. */
export function storeNeeds(warn: (line: string) => void): Needs {
  const said = new Set<string>();
  function once(message: string, { error, fault }: Facts = {}): void {
    const line = [message, error ?? fault].filter((part) => part !== undefined).join(': ');
    if (said.has(line)) return;
    said.add(line);
    warn(line);
  }
  return { clock: createClock(), log: { info: () => undefined, warn: once, error: once } };
}
