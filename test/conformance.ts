import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REQUIREMENTS } from './support/requirements.ts';
import { idsIn, type TestTitle, titlesWithIds } from './support/test-titles.ts';
import { ROOT, readTree, type TreeFile } from './support/tree.ts';

type Requirements = Readonly<Record<string, Readonly<Record<string, string>>>>;

const PAGE = 'docs/conformance.md';

/** The page that says which tests prove which requirement. */
export function conformancePage(
  files: readonly TreeFile[],
  requirements: Requirements = REQUIREMENTS,
): string {
  const titles = titlesWithIds(files);
  const ids = Object.values(requirements).flatMap((rows) => Object.keys(rows));
  refuseUnknown(titles, ids);

  const proven = ids.filter((id) => proofsOf(id, titles).length > 0);
  const areas = Object.entries(requirements).map(([area, rows]) => areaOf(area, rows, titles));
  return [
    '# Conformance',
    'Which tests prove which requirement, made from the titles of the tests by `npm run conformance`.',
    `${proven.length} of ${ids.length} requirements are named by a test.`,
    ...areas,
  ].join('\n\n');
}

function refuseUnknown(titles: readonly TestTitle[], ids: readonly string[]): void {
  for (const { path, title } of titles) {
    const unknown = idsIn(title).find((id) => !ids.includes(id));
    if (unknown) throw new Error(`${path} names ${unknown}, which is no requirement: ${title}`);
  }
}

function areaOf(
  area: string,
  rows: Readonly<Record<string, string>>,
  titles: readonly TestTitle[],
): string {
  const lines = Object.entries(rows).map(([id, must]) => {
    const proofs = proofsOf(id, titles);
    const row = `- **${id}** ${escaped(must)}`;
    if (proofs.length === 0) return `${row}: *not yet*`;
    return [row, ...proofs.map(({ path, title }) => `  - ${escaped(title)} (\`${path}\`)`)].join(
      '\n',
    );
  });
  return `## ${area}\n\n${lines.join('\n')}\n`.trimEnd();
}

function proofsOf(id: string, titles: readonly TestTitle[]): TestTitle[] {
  return titles.filter(({ title }) => idsIn(title).includes(id));
}

function escaped(text: string): string {
  return text.replace(/[<*]/g, '\\$&');
}

if (import.meta.main !== false) {
  const page = `${conformancePage(readTree())}\n`;
  const path = join(ROOT, PAGE);
  if (!process.argv.includes('--check')) {
    writeFileSync(path, page);
  } else if (readFileSync(path, 'utf8') !== page) {
    console.error(`${PAGE} is not up to date: run "npm run conformance"`);
    process.exitCode = 1;
  }
}
