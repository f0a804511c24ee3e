import { AGENT_POOL } from './requirements/agent-pool.ts';
import { BOARD } from './requirements/board.ts';
import { DISPATCH } from './requirements/dispatch.ts';
import { OURS } from './requirements/ours.ts';
import type { Section } from './requirements/section.ts';
import { SPIRAL_GROVE } from './requirements/spiral-grove.ts';
import { TOOL_AUTHORISATION } from './requirements/tool-authorisation.ts';

/** What the product must do. Tests name the clauses they prove at the head of their titles. */
export const REQUIREMENTS: readonly Section[] = [
  BOARD,
  TOOL_AUTHORISATION,
  SPIRAL_GROVE,
  DISPATCH,
  AGENT_POOL,
  OURS,
];

export interface Row {
  readonly id: string;
  readonly short: string;
  /** A row without letters is a single clause with the id of the row. */
  readonly clauses: readonly Clause[];
}

interface Clause {
  readonly id: string;
  readonly text: string;
}

export function rowsOf({ rows }: Section): Row[] {
  return Object.entries(rows).map(([id, row]) => {
    if (typeof row === 'string') return { id, short: row, clauses: [{ id, text: row }] };
    const clauses = row.clauses.map((text) => ({ id: id + letterOf(text), text }));
    return { id, short: row.short, clauses };
  });
}

/** Empty for a clause that does not begin with its letter, which the guard refuses. */
export function letterOf(clause: string): string {
  return /^\(([a-z])\) /.exec(clause)?.[1] ?? '';
}
