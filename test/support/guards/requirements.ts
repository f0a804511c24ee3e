import type { LetteredRow, Section } from '../requirements/section.ts';
import { letterOf, rowsOf } from '../requirements.ts';
import { idsIn, titlesWithIds } from '../test-titles.ts';
import type { TreeFile } from '../tree.ts';

/** The number of rows and clauses of the specification, to notice one that an edit lost. */
interface Size {
  readonly rows: number;
  readonly clauses: number;
}

export function requirementsAreCounted(sections: readonly Section[], size: Size): string[] {
  const rows = sections.flatMap(rowsOf);
  const clauses = rows.flatMap((row) => row.clauses);
  return [
    ...(rows.length === size.rows
      ? []
      : [`${rows.length} rows; the specification has ${size.rows}`]),
    ...(clauses.length === size.clauses
      ? []
      : [`${clauses.length} clauses; the specification has ${size.clauses}`]),
  ];
}

/** Letters are neither skipped nor reused, because an id must keep its meaning. */
export function lettersHaveNoGap(sections: readonly Section[]): string[] {
  const rows = sections.flatMap((section) => Object.entries(section.rows));
  const ids = rows.map(([id]) => id);
  return [
    ...ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `${id} is listed twice`),
    ...rows.flatMap(([id, row]) => lettersOutOfOrder(id, row)),
  ];
}

function lettersOutOfOrder(id: string, row: string | LetteredRow): string[] {
  if (typeof row === 'string') {
    const letters = lettersInside(row);
    return letters.length === 0 ? [] : [`${id} has letters in its text but no list of clauses`];
  }
  const letters = row.clauses.map(letterOf);
  const expected = letters.map((_, nth) => letterAt(nth));
  if (letters.length > 1 && letters.join() === expected.join()) return [];
  return [`${id} has the clauses "${letters.join(' ')}"; expected a, b, … in order, at least two`];
}

function lettersInside(text: string): string[] {
  return [...text.matchAll(/\(([a-z])\) /g)].map(([, letter = '']) => letter);
}

function letterAt(nth: number): string {
  return String.fromCharCode('a'.charCodeAt(0) + nth);
}

/** A test names existing clauses, and never a bare row whose clauses have letters. */
export function titlesNameClauses(
  files: readonly TreeFile[],
  sections: readonly Section[],
): string[] {
  const rows = sections.flatMap(rowsOf);
  const clauses = new Set(rows.flatMap((row) => row.clauses.map(({ id }) => id)));
  const lettered = new Map(rows.map((row) => [row.id, row.clauses.map(({ id }) => id)]));
  return titlesWithIds(files).flatMap(({ path, title }) =>
    idsIn(title)
      .filter((id) => !clauses.has(id))
      .map((id) => {
        const choice = lettered.get(id)?.join(', ');
        return choice
          ? `${path}: ${id} has several clauses, name one of ${choice}: ${title}`
          : `${path}: ${id} is not in the specification: ${title}`;
      }),
  );
}
