import { createClock } from '../adapters/system/clock.ts';
import type { Facts } from '../ports/log.ts';
import type { Needs } from './open-store.ts';

/** Needs for a command that opens the store. It prints each warning and error once, as plain text. */
export function storeNeeds(warn: (line: string) => void): Needs {
  const printed = new Set<string>();
  function once(message: string, { error, fault }: Facts = {}): void {
    const line = [message, error ?? fault].filter((part) => part !== undefined).join(': ');
    if (printed.has(line)) return;
    printed.add(line);
    warn(line);
  }
  return { clock: createClock(), log: { info: () => undefined, warn: once, error: once } };
}
