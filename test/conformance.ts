import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { titlesNameClauses } from './support/guards/requirements.ts';
import type { Section } from './support/requirements/section.ts';
import { REQUIREMENTS, type Row, rowsOf } from './support/requirements.ts';
import { idsIn, titlesWithIds } from './support/test-titles.ts';
import { ROOT, readTree, type TreeFile } from './support/tree.ts';

const PAGE = 'docs/conformance.md';

/** The page that rates each row as whole, partly or not yet. */
export function conformancePage(
  files: readonly TreeFile[],
  sections: readonly Section[] = REQUIREMENTS,
): string {
  const proven = provenClauses(files);
  const paragraphs = [
    '# Conformance',
    'Which clauses of the specification the tests prove, read from the titles of the tests. A row is *whole*\n' +
      'when all its clauses are proven, *partly* when some are, *not yet* when none is.\n' +
      '`npm run conformance` lists the tests of each clause; `npm run conformance -- --write` writes this page.',
    totals(sections.flatMap(rowsOf), proven),
    ...sections.map((section) => sectionOf(section, proven)),
  ];
  return `${paragraphs.join('\n\n')}\n`;
}

/** Every clause with the path and title of each test that names it. */
export function clauseList(
  files: readonly TreeFile[],
  sections: readonly Section[] = REQUIREMENTS,
): string {
  const titles = titlesWithIds(files);
  const clauses = sections.flatMap(rowsOf).flatMap((row) => row.clauses);
  const entries = clauses.map(({ id, text }) => {
    const proofs = titles.filter(({ title }) => idsIn(title).includes(id));
    const lines = proofs.map(({ path, title }) => `    ${path}: ${title}`);
    return [`${id} ${text}`, ...(lines.length > 0 ? lines : ['    not yet'])].join('\n');
  });
  return `${entries.join('\n')}\n`;
}

function provenClauses(files: readonly TreeFile[]): ReadonlySet<string> {
  return new Set(titlesWithIds(files).flatMap(({ title }) => idsIn(title)));
}

function totals(rows: readonly Row[], proven: ReadonlySet<string>): string {
  const clauses = rows.flatMap((row) => row.clauses);
  const results = rows.map((row) => wordFor(row, proven));
  const count = (word: Word) => results.filter((each) => each === word).length;
  return [
    `- ${rows.length} rows: ${count('whole')} whole, ${count('partly')} partly, ${count('not yet')} not yet`,
    `- ${clauses.length} clauses: ${clauses.filter(({ id }) => proven.has(id)).length} proven`,
  ].join('\n');
}

function sectionOf(section: Section, proven: ReadonlySet<string>): string {
  const lines = rowsOf(section).map((row) => lineOf(row, proven));
  const head = ['| row | proven | open clauses | in short |', '| --- | --- | --- | --- |'];
  return [`## ${section.title}\n`, ...head, ...lines].join('\n');
}

function lineOf(row: Row, proven: ReadonlySet<string>): string {
  const open = row.clauses.filter(({ id }) => !proven.has(id)).map(({ id }) => id);
  const letters = open.map((id) => id.slice(row.id.length)).join(' ');
  return `| ${row.id} | ${wordFor(row, proven)} | ${letters} | ${inACell(row.short)} |`;
}

/** A bar ends a Markdown cell even inside code; the other characters are special only outside of it. */
function inACell(text: string): string {
  const parts = text.replaceAll('|', '\\|').split('`');
  return parts.map((part, n) => (n % 2 === 0 ? part.replace(/[<*]/g, '\\$&') : part)).join('`');
}

type Word = 'whole' | 'partly' | 'not yet';

function wordFor({ clauses }: Row, proven: ReadonlySet<string>): Word {
  const count = clauses.filter(({ id }) => proven.has(id)).length;
  if (count === clauses.length) return 'whole';
  return count > 0 ? 'partly' : 'not yet';
}

if (import.meta.main !== false) {
  const tree = readTree();
  const faults = titlesNameClauses(tree, REQUIREMENTS);
  if (faults.length > 0) {
    console.error(faults.join('\n'));
    process.exitCode = 1;
  } else if (process.argv.includes('--write')) {
    writeFileSync(join(ROOT, PAGE), conformancePage(tree));
  } else {
    // `| head` closes the pipe before the end of the list.
    process.stdout.on('error', () => undefined);
    process.stdout.write(clauseList(tree));
  }
}
