import { MAX_MEMORY, MEMORY_FILE, memoryEditFault } from '../../domain/repository-memory.ts';
import type { ChangedFile, Finding } from '../../ports/workspace.ts';
import { readFileOf } from './read-mirror.ts';
import type { Git } from './run-git.ts';

interface ChangedRange {
  readonly from: string;
  readonly to: string;
  readonly files: readonly ChangedFile[];
}

/** Agents may add to a repository's memory but never change what others left there. */
export async function memoryFindings(
  needs: { readonly git: Git; readonly dir: string },
  { from, to, files }: ChangedRange,
): Promise<Finding[]> {
  const touched = files.filter(({ path }) => path.toLowerCase() === MEMORY_FILE);
  const findings: Finding[] = [];
  for (const { path, change } of touched) {
    const because =
      path === MEMORY_FILE
        ? await memoryFault(needs, { from, to, isNew: change === 'added' })
        : `some file systems cannot tell its name from ${MEMORY_FILE}`;
    findings.push({
      kind: 'repository_memory',
      path,
      because: because ?? 'it adds to what agents read about the repository',
      blocks: because !== null,
    });
  }
  return findings;
}

async function memoryFault(
  needs: { readonly git: Git; readonly dir: string },
  { from, to, isNew }: { readonly from: string; readonly to: string; readonly isNew: boolean },
): Promise<string | null> {
  const file = { path: MEMORY_FILE, most: MAX_MEMORY };
  const before = await readFileOf(needs, from, file);
  const after = await readFileOf(needs, to, file);
  if (before === null && !isNew) return 'the previous version cannot be read; a person must fix it';
  return memoryEditFault(before, after);
}
