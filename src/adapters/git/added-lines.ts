import type { Git } from './run-git.ts';

/** Lines of one file that a commit has and none of its parents has. */
interface AddedLines {
  readonly path: string;
  /** One byte per character, whatever the encoding. */
  readonly text: string;
}

interface Needs {
  readonly git: Git;
  readonly dir: string;
}

/** Treats every file as text: otherwise a zero byte in front of a secret would hide it. */
export async function addedLines(
  { git, dir }: Needs,
  commits: readonly string[],
  mostBytes: number,
): Promise<AddedLines[]> {
  const out = await git.run({
    dir,
    mostBytes,
    doing: 'reading added lines',
    config: ['core.quotePath=false', 'core.bigFileThreshold=1g'],
    args: [...PATCHES, '--stdin'],
    stdin: `${commits.join('\n')}\n`,
  });
  return parsePatch(out.toString('latin1'));
}

const PATCHES = [
  'diff-tree',
  '-r',
  '-p',
  '-c',
  '-U0',
  '--root',
  '--text',
  '--no-commit-id',
  '--no-renames',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--src-prefix=a/',
  '--dst-prefix=b/',
] as const;

/** The hunk's counts say where it ends, because a line of a file can look like any header. */
export function parsePatch(patch: string): AddedLines[] {
  const found = new Map<string, string[]>();
  const lines = patch.split('\n');
  let path = '';
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (line.startsWith('+++ ')) path = pathIn(line.slice(4));
    const hunk = hunkIn(line);
    if (!hunk) continue;
    const { added, length } = readHunk(lines, at + 1, hunk);
    at += length;
    const known = found.get(path);
    if (!known) found.set(path, added);
    // One by one: an agent can add more lines than a call takes arguments.
    else for (const each of added) known.push(each);
  }
  return [...found].map(([each, added]) => ({ path: each, text: added.join('\n') }));
}

interface Hunk {
  readonly parents: number;
  /** Lines still expected, for each parent and for the result. */
  readonly counts: number[];
}

function hunkIn(line: string): Hunk | undefined {
  const [, marks, ranges] = /^(@@+) ((?:[-+]\d+(?:,\d+)? )+)@@/.exec(line) ?? [];
  if (marks === undefined || ranges === undefined) return undefined;
  const counts = ranges
    .trim()
    .split(' ')
    .map((range) => Number(range.split(',')[1] ?? 1));
  return { parents: marks.length - 1, counts };
}

function readHunk(lines: readonly string[], from: number, { parents, counts }: Hunk) {
  const added: string[] = [];
  let at = from;
  while (at < lines.length && counts.some((count) => count > 0)) {
    const line = lines[at] ?? '';
    at += 1;
    if (line.startsWith('\\')) continue;
    const marks = line.slice(0, parents);
    const isInResult = !marks.includes('-');
    if (isInResult) take(counts, parents);
    for (let n = 0; n < parents; n += 1) {
      if (isInResult ? marks[n] === ' ' : marks[n] === '-') take(counts, n);
    }
    if (isInResult && /^\++$/.test(marks)) added.push(line.slice(parents));
  }
  return { added, length: at - from };
}

function take(counts: number[], n: number): void {
  counts[n] = (counts[n] ?? 0) - 1;
}

/** Git quotes a name that contains a quote, and appends a tab to one that contains a space. */
function pathIn(text: string): string {
  const name = text.replace(/\t$/, '').replace(/^"(.*)"$/, '$1');
  return Buffer.from(name.replace(/^b\//, ''), 'latin1').toString('utf8');
}
