import { faultOfMemory, MEMORY, MOST_MEMORY } from '../../domain/repository-memory.ts';
import type { ChangedFile, Finding } from '../../ports/workspace.ts';
import { readFileOf } from './read-mirror.ts';
import type { Git } from './run-git.ts';

interface Changed {
  readonly from: string;
  readonly made: string;
  readonly files: readonly ChangedFile[];
}

/** Agents add to the memory of a repository, and never change what others left in it. */
export async function memoryFindings(
  needs: { readonly git: Git; readonly dir: string },
  { from, made, files }: Changed,
): Promise<Finding[]> {
  const touched = files.filter(({ path }) => path.toLowerCase() === MEMORY);
  const findings: Finding[] = [];
  for (const { path, change } of touched) {
    const because =
      path === MEMORY
        ? await faultBetween(needs, { from, made, isNew: change === 'added' })
        : `it is spelt ${MEMORY}, and not every file system would tell the two apart`;
    findings.push({
      kind: 'repository_memory',
      path,
      because: because ?? 'it adds to what agents are told about the repository',
      blocks: because !== null,
    });
  }
  return findings;
}

async function faultBetween(
  needs: { readonly git: Git; readonly dir: string },
  { from, made, isNew }: { readonly from: string; readonly made: string; readonly isNew: boolean },
): Promise<string | null> {
  const wanted = { path: MEMORY, most: MOST_MEMORY };
  const before = await readFileOf(needs, from, wanted);
  const after = await readFileOf(needs, made, wanted);
  if (before === null && !isNew)
    return 'what was there cannot be read; a person has to put it right';
  return faultOfMemory(before, after);
}
