import { openSheets } from '../../src/adapters/sheets/sheets.ts';
import type { KeptSession, Sessions } from '../../src/ports/sessions.ts';
import { ROOT } from './tree.ts';

/** The sheets that come with the product. */
export const SHEETS = openSheets([ROOT]);

/** Conversations in memory, for halls whose disk is not what is looked at. */
export function sessionsInMemory(): Sessions {
  const kept = new Map<string, KeptSession>();
  return {
    get: async (key) => kept.get(key) ?? null,
    put: async (key, session) => void kept.set(key, session),
    sweep: async () => undefined,
  };
}
