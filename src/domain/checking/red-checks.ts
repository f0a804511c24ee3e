import type { HallEvent } from '../event.ts';
import { nameOf } from '../ids.ts';
import { operatorCommand } from '../operator-command.ts';
import type { ProjectSettings } from '../project.ts';
import { handOverToPerson } from '../pull-request.ts';
import { haveChecksFailedTooOften } from '../retry-limits.ts';
import type { Checks, Failure, Thread, ThreadOnForge } from '../thread.ts';
import { failuresOfBase, isBaseUnknown, ownFailures } from './compare-with-base.ts';
import { repeatedFailure } from './repeated-failure.ts';

interface Needs {
  /** The checks are about to be started once more. */
  readonly isRerunDue: boolean;
  readonly at: number;
  readonly post: (skill: string, body: string) => HallEvent;
}

/**
 * Posts a task to fix the checks that the branch broke, until they have failed too often in a row.
 * Waits until it is known which of them fail on the base too: agents are not paid for those.
 */
export function afterRedChecks(
  thread: Thread,
  settings: Pick<ProjectSettings, 'maxRetries'>,
  { isRerunDue, at, post }: Needs,
): readonly HallEvent[] {
  const { forge } = thread;
  const { checks } = forge;
  if (!checks || isRerunDue || isBaseUnknown(forge)) return [];
  const own = ownFailures(checks);
  if (own.length === 0) return [handOverToPerson(thread, redBase(thread, checks), at)];
  const repeated = repeatedFailure(forge);
  if (repeated) return [handOverToPerson(thread, sameAgain(repeated), at)];
  if (haveChecksFailedTooOften(forge, settings)) {
    return [handOverToPerson(thread, redAgain(forge, own), at)];
  }
  const others = failuresOfBase(checks);
  const ignore =
    others.length === 0 ? '' : ` Leave ${others.join(', ')} alone: red on the base branch too.`;
  return [post('fix-ci', `These checks fail: ${own.join(', ')}.${ignore}`)];
}

function redBase({ id }: Thread, { failing, base }: Checks): string {
  const branch = base?.branch ?? 'the base branch';
  const names = failing.map((name) => `\`${name}\``).join(', ');
  const name = nameOf('thread', id);
  return `${names} ${failing.length === 1 ? 'is' : 'are'} red on ${branch} already, at ${base?.commit.slice(0, 12)}\nthe thread continues by itself once a newer commit of ${branch} is green; to check again now: ${operatorCommand('thread recheck', name)}`;
}

function sameAgain({ commit, failing }: Failure): string {
  const names = failing.map((name) => `\`${name}\``).join(', ');
  return `its files are again those of ${commit.slice(0, 12)}, on which ${names} failed too: agents go round in circles`;
}

function redAgain({ ciRetries }: ThreadOnForge, own: readonly string[]): string {
  return `its checks failed ${ciRetries} times in a row, most recently ${own.join(', ')}`;
}
