import { faultOfMemory, MEMORY, MOST_MEMORY } from '../../domain/repository-memory.ts';
import type { Finding } from '../../ports/workspace.ts';
import { readFileOf } from './read-mirror.ts';
import type { Git } from './run-git.ts';

interface Changed {
  readonly from: string;
  readonly made: string;
  readonly paths: readonly string[];
}

/** Agents add to the memory of a repository, and never change what others left in it. */
export async function memoryFindings(
  needs: { readonly git: Git; readonly dir: string },
  { from, made, paths }: Changed,
): Promise<Finding[]> {
  const touched = paths.filter((path) => path.toLowerCase() === MEMORY);
  const findings: Finding[] = [];
  for (const path of touched) {
    const because =
      path === MEMORY
        ? await faultBetween(needs, from, made)
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
  from: string,
  made: string,
): Promise<string | null> {
  const wanted = { path: MEMORY, most: MOST_MEMORY };
  const before = await readFileOf(needs, from, wanted);
  const after = await readFileOf(needs, made, wanted);
  return faultOfMemory(before, after);
}
