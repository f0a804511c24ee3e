import { openPromptFiles } from '../../src/adapters/prompt-files/prompt-files.ts';
import type { Sessions, StoredSession } from '../../src/ports/sessions.ts';
import { ROOT } from './tree.ts';

/** The prompt files that come with the product. */
export const PROMPT_FILES = openPromptFiles([ROOT]);

/** Sessions in memory, for halls whose disk is not tested. */
export function sessionsInMemory(): Sessions {
  const kept = new Map<string, StoredSession>();
  return {
    get: async (key) => kept.get(key) ?? null,
    put: async (key, session) => void kept.set(key, session),
    sweep: async () => undefined,
  };
}
