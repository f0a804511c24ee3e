import type { HallEvent } from '../event.ts';
import type { BranchBase, Checks, Thread, ThreadOnForge } from '../thread.ts';
import type { BaseResult } from './base-results.ts';
import { checksAreRed } from './status.ts';

/** The name of a failed setup among the checks. The checks after it did not run. */
export const SETUP = 'setup';

/** The checks that fail on the branch and not on its base. */
export function ownFailures({ failing, base }: Checks): readonly string[] {
  return failing.filter((name) => !base?.failing?.includes(name));
}

/** The checks that fail on the branch and failed on its base already. */
export function failuresOfBase({ failing, base }: Checks): readonly string[] {
  return failing.filter((name) => base?.failing?.includes(name));
}

/** The checks that fail on the base and pass on the branch. */
export function mendedChecks({ failing, base }: Checks): readonly string[] {
  if (failing.includes(SETUP)) return [];
  return (base?.failing ?? []).filter((name) => !failing.includes(name));
}

/** For people: which checks a pull request mended; empty when it mended none. */
export function mendedText(checks: Checks | null): string {
  const mended = checks ? mendedChecks(checks) : [];
  if (!checks?.base || mended.length === 0) return '';
  const { branch, commit } = checks.base;
  return `Mended checks: ${mended.join(', ')} (red on ${branch} at ${commit.slice(0, 12)}).`;
}

/** The checks of the base have not run yet, so it is unknown whether the branch broke them. */
export function isBaseUnknown({ checks, head }: ThreadOnForge): boolean {
  return checks?.commit === head && checks?.base?.failing === null;
}

/** The hall handed the thread over only because its base is red, and continues once a newer one is green. */
export function isWaitingForBase({ handedOver, forge }: Thread): boolean {
  if (handedOver?.by !== 'hall' || !checksAreRed(forge) || !forge.checks?.base?.failing)
    return false;
  return ownFailures(forge.checks).length === 0;
}

/** These checks ran and passed. */
export function arePassing(names: readonly string[], failing: readonly string[]): boolean {
  return !failing.includes(SETUP) && names.every((name) => !failing.includes(name));
}

type Compared = Extract<HallEvent, { type: 'ChecksCompared' }>;

export function compare(
  thread: Thread['id'],
  checks: Checks & { readonly base: BranchBase },
  { failing, excerpt }: BaseResult,
): Compared {
  const base: BranchBase = { ...checks.base, failing };
  const isShared = failuresOfBase({ ...checks, base }).length > 0;
  return { type: 'ChecksCompared', thread, base, excerpt: isShared ? excerpt : '' };
}

export function afterComparison(forge: ThreadOnForge, base: BranchBase): ThreadOnForge {
  return forge.checks ? { ...forge, checks: { ...forge.checks, base } } : forge;
}
