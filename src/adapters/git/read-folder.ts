import type { FolderFile, FolderLimits } from '../../ports/task-source.ts';
import { readObjects } from './read-objects.ts';
import { checkedCommit } from './ref-names.ts';
import type { Git } from './run-git.ts';

interface Needs {
  readonly git: Git;
  readonly dir: string;
}

/** Reads from the objects; symbolic links and submodules are no files. */
export async function readFolderOf(
  { git, dir }: Needs,
  commit: string,
  { folder, limits }: { readonly folder: string; readonly limits: FolderLimits },
): Promise<readonly FolderFile[]> {
  const doing = `reading ${folder} of ${commit}`;
  const env = { GIT_LITERAL_PATHSPECS: '1' };
  const args = ['ls-tree', '-r', '-z', '-l', '--full-tree', checkedCommit(commit), '--', folder];
  const listed = await git.text({ dir, doing, env, args });
  const entries = listed.split('\0').flatMap((entry) => entryIn(entry, limits) ?? []);
  const chosen = entries.slice(0, limits.files);
  const readable = chosen.filter(({ bytes }) => bytes <= limits.bytesEach);
  const texts = new Map<string, string | null>();
  const names = [...new Set(readable.map(({ blob }) => blob))];
  await readObjects({ git, dir }, { names, doing }, ({ name, raw }) =>
    texts.set(name, textOf(raw)),
  );
  return chosen.map(({ path, blob, bytes }) => {
    if (bytes > limits.bytesEach) {
      return { path, text: null, because: `is larger than ${limits.bytesEach} bytes` };
    }
    return { path, text: texts.get(blob) ?? null, because: 'is not UTF-8 text' };
  });
}

interface Entry {
  readonly path: string;
  readonly blob: string;
  readonly bytes: number;
}

function entryIn(entry: string, { ending }: FolderLimits): Entry | undefined {
  const [, blob, bytes, path] =
    /^100(?:644|755) blob ([0-9a-f]{40}) +(\d+)\t(.+)$/s.exec(entry) ?? [];
  if (blob === undefined || path === undefined) return undefined;
  if (!path.toLowerCase().endsWith(ending)) return undefined;
  return { path, blob, bytes: Number(bytes) };
}

/** Null for bytes that are no text. */
function textOf(raw: Buffer): string | null {
  if (raw.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(raw);
  } catch {
    return null;
  }
}
