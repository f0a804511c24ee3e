import { checksAreRed } from '../checking/status.ts';
import { isOpen, type Thread } from '../thread.ts';

/** What people should know about the CI of a thread beyond its stage, one sentence each. */
export function cardNotices(thread: Thread): readonly string[] {
  const { checks, head, pr } = thread.forge;
  if (!isOpen(thread) || pr?.state !== 'open' || !checks || checks.commit !== head) return [];
  const { missing = [], rerun, base, is } = checks;
  return [
    ...(missing.length > 0 && is !== 'pending' ? [neverStarted(missing, base?.branch)] : []),
    ...(is === 'none' && missing.length === 0 ? [NO_CI] : []),
    ...(is === 'pending' && rerun ? [startedAgain(rerun.names)] : []),
    ...(rerun?.newest === null && checksAreRed(thread.forge) ? [cannotStart(rerun.names)] : []),
  ];
}

const NO_CI = 'no CI: no check appeared for the last commit, so it goes on without one.';

/** The forge does not say why a check did not start, so the usual reasons are named. */
function neverStarted(names: readonly string[], base = 'the base branch'): string {
  const reasons =
    'its workflow may wait for the approval of a maintainer, be left out by a filter for paths or branches, or not be started by pushes of this account';
  return `${listed(names)} never started, and ${base} requires ${names.length === 1 ? 'it' : 'them'} before a merge: ${reasons}.`;
}

function startedAgain(names: readonly string[]): string {
  return `${listed(names)} failed and ${names.length === 1 ? 'is' : 'are'} known to be flaky: started once more before an agent looks at it.`;
}

function cannotStart(names: readonly string[]): string {
  return `${listed(names)} ${names.length === 1 ? 'is' : 'are'} known to be flaky, but this forge cannot start ${names.length === 1 ? 'it' : 'them'} again.`;
}

function listed(names: readonly string[]): string {
  return names.map((name) => `\`${name.replaceAll('`', "'")}\``).join(', ');
}
