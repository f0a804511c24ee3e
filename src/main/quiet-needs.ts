import { createClock } from '../adapters/system/clock.ts';
import { createLog } from '../adapters/system/log.ts';
import type { Needs } from './open-store.ts';

/** What a command on the data folder is given: only what a person must do is written down. */
export function quietNeeds(say: (line: string) => void): Needs {
  const log = createLog({ write: (line) => say(line.trimEnd()) }, () => []);
  return { clock: createClock(), log: { ...log, info: () => undefined } };
}
