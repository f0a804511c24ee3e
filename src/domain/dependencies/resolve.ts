import type { ThreadId } from '../ids.ts';
import { type Dependency, type FoundThread, wrongDependency } from './look-up.ts';

/** What a thread depends on, and which of those are not done yet. */
export interface Edges {
  readonly dependsOn: readonly ThreadId[];
  readonly blockedBy: readonly ThreadId[];
}

export interface WrongDependency {
  /** The index in the list. */
  readonly at: number;
  readonly code: 'bad_dependency' | 'dependency_cycle';
  readonly message: string;
}

interface Needs {
  /** The project that every dependency must belong to. */
  readonly project: string;
  readonly find: (dependency: Dependency) => FoundThread | undefined;
  /** Describes the cycle when waiting for a thread would never end. */
  readonly cycle: (dependency: Dependency, found: FoundThread) => string | undefined;
}

/** The threads that a list of dependencies names, and every error in the list. */
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
