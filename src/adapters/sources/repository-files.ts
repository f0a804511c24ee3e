import type { FileKind } from '../../domain/sources/configured.ts';
import type { FileProblem, SourceItem } from '../../domain/sources/item.ts';
import {
  type FolderFile,
  type RepositoryFiles,
  SourceUnavailable,
  type TaskSource,
} from '../../ports/task-source.ts';
import { isSpecFile, parseSpec } from './spec-file.ts';
import { isBreakdownFile, type ParsedFile, parseBreakdown } from './spiral-grove.ts';
import { findCycle } from './task-dependencies.ts';

interface Needs {
  readonly kind: FileKind;
  readonly folder: string;
  /** Null is the repository's default branch. */
  readonly base: string | null;
  /** Fetches the repository. */
  readonly mirror: () => Promise<RepositoryFiles>;
}

const LIMITS = { ending: '.md', files: 500, bytesEach: 1024 * 1024 };
const MAX_ITEMS = 2_000;

/** The files of a folder on the base branch of a repository. Nothing is written back. */
export function createFileSource(needs: Needs): TaskSource {
  const folder = needs.folder.replace(/^(?:\.?\/)+/, '').replace(/\/{1,100}$/, '');
  return {
    async read(since) {
      const { commit, files } = await readFiles(needs, { folder, since });
      const position = `${commit} ${needs.kind} ${folder}`;
      if (files === null) return 'unchanged';
      const parsed = files.map((file) => parse(needs.kind, file));
      const checked = needs.kind === 'spec-files' ? checkDependencies(parsed) : parsed;
      const items = checked.flatMap((file) => file.items);
      return {
        position,
        items: items.slice(0, MAX_ITEMS),
        files: checked.map(({ file }) => file),
        problems: checked.flatMap(({ problems }) => problems),
        isComplete: files.length < LIMITS.files && items.length <= MAX_ITEMS,
      };
    },
  };
}

interface Asked {
  readonly folder: string;
  readonly since: string | null;
}

async function readFiles({ kind, base, mirror }: Needs, { folder, since }: Asked) {
  try {
    const repository = await mirror();
    const branch = base ?? repository.defaultBranch;
    const commit = await repository.tip(branch);
    if (commit === null) throw new Error(`there is no branch ${branch}`);
    if (since === `${commit} ${kind} ${folder}`) return { commit, files: null };
    const files = await repository.readFolder(commit, folder === '' ? '.' : folder, LIMITS);
    return { commit, files: files.filter(({ path }) => isWanted(kind, path, folder)) };
  } catch (cause) {
    const because = cause instanceof Error ? cause.message : String(cause);
    throw new SourceUnavailable(because, { cause });
  }
}

function isWanted(kind: FileKind, path: string, folder: string): boolean {
  return kind === 'spiral-grove' ? isBreakdownFile(path) : isSpecFile(path, folder);
}

function parse(kind: FileKind, { path, text, because }: FolderFile): ParsedFile {
  if (text === null) {
    const file = { path, status: null, notPosted: null, head: {} };
    return { file, items: [], problems: [{ file: path, line: 1, because }] };
  }
  return kind === 'spiral-grove' ? parseBreakdown(path, text) : parseSpec(path, text);
}

/** A specification depends on others by their files. */
function checkDependencies(files: readonly ParsedFile[]): readonly ParsedFile[] {
  const items = files.flatMap((file) => file.items);
  const known = new Set(files.map(({ file }) => file.path));
  const ready = new Set(items.map(({ id }) => id));
  const cycle = findCycle(items.map((item) => named(item)));
  return files.map((parsed) => {
    const [item] = parsed.items;
    if (!item) return parsed;
    const missing = item.dependsOn.find((id) => !known.has(id));
    if (missing !== undefined) {
      return refused(parsed, item, `depends on ${missing}, which does not exist`);
    }
    if (cycle?.names.includes(item.id)) {
      return refused(parsed, item, `the dependencies form a cycle: ${cycle.names.join(' → ')}`);
    }
    const notReady = item.dependsOn.find((id) => !ready.has(id));
    if (notReady === undefined) return parsed;
    return refused(parsed, item, `depends on ${notReady}, which is not ready`);
  });
}

function named({ id, line, dependsOn }: SourceItem) {
  return { id, names: [id], line, dependencies: dependsOn.join(', '), dependenciesLine: line };
}

function refused({ file }: ParsedFile, { line }: SourceItem, because: string): ParsedFile {
  const problem: FileProblem = { file: file.path, line, because };
  return { file, items: [], problems: [problem] };
}
