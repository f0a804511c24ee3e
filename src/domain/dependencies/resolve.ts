import type { ThreadId } from '../ids.ts';
import { type Dependency, type FoundThread, wrongDependency } from './look-up.ts';

/** What a thread depends on, and what of that is not done yet. */
export interface Edges {
  readonly dependsOn: readonly ThreadId[];
  readonly blockedBy: readonly ThreadId[];
}

export interface WrongDependency {
  /** Its place in the list. */
  readonly at: number;
  readonly code: 'bad_dependency' | 'dependency_cycle';
  readonly message: string;
}

interface Needs {
  /** The project that all of them have to be in. */
  readonly project: string;
  readonly find: (dependency: Dependency) => FoundThread | undefined;
  /** Says so where waiting for a thread would never end. */
  readonly cycle: (dependency: Dependency, found: FoundThread) => string | undefined;
}

/** The threads that a list of dependencies names, and all that is wrong with the list. */
export function resolveDependencies(
  dependencies: readonly Dependency[],
  { project, find, cycle }: Needs,
): { readonly edges: Edges; readonly wrong: readonly WrongDependency[] } {
  const dependsOn = new Set<ThreadId>();
  const blockedBy = new Set<ThreadId>();
  const wrong: WrongDependency[] = [];
  for (const [at, dependency] of dependencies.entries()) {
    const found = find(dependency);
    if (!found || found.project !== project) {
      const message = wrongDependency(dependency, found);
      wrong.push({ at, code: 'bad_dependency', message });
      continue;
    }
    const message = cycle(dependency, found);
    if (message !== undefined) wrong.push({ at, code: 'dependency_cycle', message });
    dependsOn.add(found.id);
    if (!found.done) blockedBy.add(found.id);
  }
  return { edges: { dependsOn: [...dependsOn], blockedBy: [...blockedBy] }, wrong };
}
