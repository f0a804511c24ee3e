import type { Checks, Failure, ThreadOnForge } from '../thread.ts';

/** A loop comes back to the same files after a few commits, if it ever does. */
const MAX_REMEMBERED = 10;

/** The failures since the checks were last green, with the present one. */
export function failuresAfter(
  { failures = [] }: ThreadOnForge,
  { is, commit, tree, failing }: Checks,
): readonly Failure[] {
  if (is === 'green') return [];
  if (is !== 'red' || tree === undefined) return failures;
  const others = failures.filter((failure) => failure.commit !== commit);
  return [...others, { commit, tree, failing }].slice(-MAX_REMEMBERED);
}

/** An earlier commit with the same files on which the same checks failed. */
export function repeatedFailure({ failures = [], checks }: ThreadOnForge): Failure | undefined {
  if (checks?.is !== 'red') return undefined;
  return failures.find(
    ({ commit, tree, failing }) =>
      commit !== checks.commit && tree === checks.tree && isSame(failing, checks.failing),
  );
}

function isSame(names: readonly string[], others: readonly string[]): boolean {
  return names.length === others.length && names.every((name) => others.includes(name));
}
