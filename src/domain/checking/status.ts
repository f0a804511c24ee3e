import type { ProjectSettings } from '../project.ts';
import type { ThreadOnForge } from '../thread.ts';

/** The project has checks, and nobody knows yet what they say of the commit the branch is at. */
export function checksAreDue(
  { checks, head }: ThreadOnForge,
  settings: Pick<ProjectSettings, 'checks'>,
): boolean {
  return settings.checks.length > 0 && checks?.commit !== head;
}

/** The checks failed on the commit the branch is at. */
export function checksAreRed({ checks, head }: ThreadOnForge): boolean {
  return checks?.is === 'red' && checks.commit === head;
}
