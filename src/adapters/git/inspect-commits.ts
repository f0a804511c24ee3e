import type { Bounds, ChangedFile, Finding } from '../../ports/workspace.ts';
import { addedLines } from './added-lines.ts';
import { changedFiles, type Entry, sizesOf, writtenEntries } from './changed-files.ts';
import type { Commit } from './commits.ts';
import { findSecrets } from './find-secrets.ts';
import { GONE, hostileEntry } from './hostile-entries.ts';
import { memoryFindings } from './repository-memory.ts';
import type { Git } from './run-git.ts';
import { findingsInTrees } from './tree-findings.ts';

interface Needs {
  readonly git: Git;
  readonly dir: string;
  /** Values that may not leave, in any encoding. */
  readonly secrets: readonly string[];
}

interface InspectedRange {
  /** The commit that the difference is taken from. */
  readonly from: string;
  readonly to: string;
  /** All commits to be pushed, with their messages. */
  readonly commits: readonly Commit[];
  readonly bounds: Bounds;
  readonly scope: readonly string[] | undefined;
}

interface Inspection {
  readonly files: readonly ChangedFile[];
  readonly findings: readonly Finding[];
}

/** Reads objects only; the host checks out nothing of an agent's. */
export async function inspect(needs: Needs, range: InspectedRange): Promise<Inspection> {
  const names = range.commits.map(({ name }) => name);
  const files = await changedFiles(needs, range.from, range.to);
  const entries = await writtenEntries(needs, names);
  const sizes = await sizesOf(needs, blobsIn(entries));
  const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  const paths = [...new Set([...entries, ...files].map(({ path }) => path))];
  const findings = [
    ...overBounds(files, bytes, range.bounds),
    ...entries.flatMap((entry) => hostileEntry(entry) ?? []),
    ...(await findingsInTrees(needs, range, { files, entries, paths })),
    ...outsideScope(paths, range.scope),
    ...(await memoryFindings(needs, { ...range, files })),
    ...secretsIn(needs.secrets, [
      ...paths.map((path) => ({ path, text: path, where: 'its name' })),
      ...range.commits.map(({ message }) => ({ path: '', text: message, where: 'a message' })),
    ]),
    ...(await secretsInAddedLines(needs, names, bytes)),
  ];
  return { files: files.slice(0, MAX_LISTED), findings: mostSevere(withoutDuplicates(findings)) };
}

const MAX_LISTED = 5000;
/** Larger work is not scanned; a finding says so and the work is not pushed. */
const MAX_SCANNED = 20 * 1024 * 1024;

/** When findings are cut, one that blocks the push is never hidden by one that does not. */
function mostSevere(findings: readonly Finding[]): Finding[] {
  return findings
    .toSorted((one, other) => Number(other.blocks) - Number(one.blocks))
    .slice(0, MAX_LISTED);
}

function blobsIn(entries: readonly Entry[]): string[] {
  const blobs = entries.filter(({ mode }) => mode !== GONE && !mode.startsWith('16'));
  return [...new Set(blobs.map(({ object }) => object))];
}

function overBounds(files: readonly ChangedFile[], bytes: number, bounds: Bounds): Finding[] {
  const lines = files.reduce((sum, { added, removed }) => sum + added + removed, 0);
  const found = { files: files.length, lines, bytes };
  return (['files', 'lines', 'bytes'] as const)
    .filter((measure) => found[measure] > bounds[measure])
    .map((measure) => ({
      kind: 'too_large',
      path: '',
      because: `${found[measure]} ${measure} are changed; at most ${bounds[measure]} are allowed`,
      blocks: true,
    }));
}

function outsideScope(paths: readonly string[], scope: readonly string[] | undefined): Finding[] {
  if (scope === undefined) return [];
  const folders = scope.map((each) => each.replace(/\/+$/, ''));
  return paths
    .filter((path) => !folders.some((each) => path === each || path.startsWith(`${each}/`)))
    .map((path) => ({
      kind: 'outside_scope',
      path,
      because: `the task may change only ${folders.join(', ')}`,
      blocks: true,
    }));
}

interface Scanned {
  readonly path: string;
  readonly text: string;
  readonly where: string;
}

function secretsIn(known: readonly string[], texts: readonly Scanned[]): Finding[] {
  return texts.flatMap(({ path, text, where }) =>
    findSecrets(text, known).map(({ because, isGuess }): Finding => {
      const isInName = where === 'its name';
      const shown = isInName ? '' : path;
      return { kind: 'secret', path: shown, because: `${where} ${because}`, blocks: !isGuess };
    }),
  );
}

async function secretsInAddedLines(
  needs: Needs,
  commits: readonly string[],
  bytes: number,
): Promise<Finding[]> {
  if (bytes > MAX_SCANNED) {
    const because = `${bytes} bytes are too many to scan for secrets`;
    return [{ kind: 'too_large', path: '', because, blocks: true }];
  }
  const added = await addedLines(needs, commits, 3 * MAX_SCANNED);
  return secretsIn(
    needs.secrets,
    added.map(({ path, text }) => ({ path, text, where: 'an added line' })),
  );
}

function withoutDuplicates(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((each) => [JSON.stringify(each), each])).values()];
}
