import type { HallEvent } from '../event.ts';
import type { ProjectSettings } from '../project.ts';
import { handOverToPerson } from '../pull-request.ts';
import { haveChecksFailedTooOften } from '../retry-limits.ts';
import type { Thread, ThreadOnForge } from '../thread.ts';

interface Needs {
  readonly at: number;
  readonly post: (skill: string, body: string) => HallEvent;
}

/** Posts a task to fix red checks, until they have failed too often in a row. */
export function afterRedChecks(
  thread: Thread,
  settings: Pick<ProjectSettings, 'maxRetries'>,
  { at, post }: Needs,
): HallEvent {
  const { forge } = thread;
  if (haveChecksFailedTooOften(forge, settings)) {
    return handOverToPerson(thread, redAgain(forge), at);
  }
  return post('fix-ci', `These checks fail: ${forge.checks?.failing.join(', ')}.`);
}

function redAgain({ checks, ciRetries }: ThreadOnForge): string {
  return `its checks failed ${ciRetries} times in a row, most recently ${checks?.failing.join(', ')}`;
}
