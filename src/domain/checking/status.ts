import type { ProjectSettings } from '../project.ts';
import type { ThreadOnForge } from '../thread.ts';

/** The project has checks, and there is no result yet for the head of the branch. */
export function checksAreDue(
  { checks, head }: ThreadOnForge,
  settings: Pick<ProjectSettings, 'checks'>,
): boolean {
  return settings.checks.length > 0 && checks?.commit !== head;
}

/** The checks failed on the head of the branch. */
export function checksAreRed({ checks, head }: ThreadOnForge): boolean {
  return checks?.is === 'red' && checks.commit === head;
}

/** The checks passed on the head of the branch. */
export function checksAreGreen({ checks, head }: ThreadOnForge): boolean {
  return checks?.is === 'green' && checks.commit === head;
}
