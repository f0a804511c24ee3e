import { isLocal, type ProjectSettings } from '../project.ts';
import type { ThreadOnForge } from '../thread.ts';

type CheckSettings = Pick<ProjectSettings, 'checks' | 'ci' | 'repo'>;

/** The project has checks, and there is no final result yet for the head of the branch. */
export function checksAreDue({ checks, head }: ThreadOnForge, settings: CheckSettings): boolean {
  if (checks?.commit === head) return checks?.is === 'pending';
  return expectsChecks(settings);
}

/** In a folder the hall runs the checks that the project lists; a forge has CI unless the project says no. */
function expectsChecks({ checks, ci, repo }: CheckSettings): boolean {
  return isLocal({ settings: { repo } }) ? checks.length > 0 : ci !== 'none';
}

/** Nothing checks the head of the branch. */
export function isUnchecked({ checks, head }: ThreadOnForge, settings: CheckSettings): boolean {
  return !expectsChecks(settings) || (checks?.commit === head && checks?.is === 'none');
}

/** The checks failed on the head of the branch. */
export function checksAreRed({ checks, head }: ThreadOnForge): boolean {
  return checks?.is === 'red' && checks.commit === head;
}

/** The checks passed on the head of the branch. */
export function checksAreGreen({ checks, head }: ThreadOnForge): boolean {
  return checks?.is === 'green' && checks.commit === head;
}
