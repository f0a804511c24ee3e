import { openPromptFiles } from '../../src/adapters/prompt-files/prompt-files.ts';
import type { Sessions, StoredSession } from '../../src/ports/sessions.ts';
import { ROOT } from './tree.ts';

/** The sheets that come with the product. */
export const PROMPT_FILES = openPromptFiles([ROOT]);

/** Conversations in memory, for halls whose disk is not what is looked at. */
export function sessionsInMemory(): Sessions {
  const kept = new Map<string, StoredSession>();
  return {
    get: async (key) => kept.get(key) ?? null,
    put: async (key, session) => void kept.set(key, session),
    sweep: async () => undefined,
  };
}
