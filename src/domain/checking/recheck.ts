import type { Board } from '../board.ts';
import { type Decision, decide, refuseWith } from '../decision.ts';
import type { HallEvent } from '../event.ts';
import { nameOf, type ThreadId } from '../ids.ts';
import { operatorCommand } from '../operator-command.ts';
import { isLocal } from '../project.ts';
import { onOpenPullRequest } from '../pull-request.ts';
import { refuse } from '../refusal.ts';
import { type Thread, type ThreadOnForge, urlOf } from '../thread.ts';
import { baseResultOf } from './base-results.ts';
import { checksAreRed } from './status.ts';

/** A person has the checks run again, and with them the red ones of the base. */
export function recheck(board: Board, id: ThreadId): Decision<ThreadId> {
  return onOpenPullRequest(board, id, ({ project, thread }) => {
    const { handedOver, forge } = thread;
    if (!isLocal(project)) {
      const because = `${urlOf(forge.pr)} is on a forge; run its checks again there`;
      return refuseWith(refuse('not_on_this_forge', because));
    }
    if (project.settings.checks.length === 0) {
      return refuseWith(refuse('no_checks', `${project.name} has no checks`));
    }
    const name = nameOf('thread', id);
    if (handedOver && handedOver.by !== 'hall') {
      const because = `${handedOver.by} has ${name}; hand it back with: ${operatorCommand('thread handback', name)}`;
      return refuseWith(refuse('thread_handed_over', because));
    }
    const change = { ...(handedOver && { handedOver: null }), recheck: true } as const;
    return decide(id, [
      { type: 'ThreadChanged', thread: id, change },
      ...forgetBase(board, thread),
    ]);
  });
}

/** A green base stays known: nothing that a person mends makes it red. */
export function forgetBase(board: Board, { project, forge }: Thread): readonly HallEvent[] {
  const commit = forge.checks?.base?.commit;
  const known = commit === undefined ? undefined : baseResultOf(board, project, commit);
  if (!known || known.failing.length === 0) return [];
  return [{ type: 'BaseChecksForgotten', project, commit: known.commit }];
}

/** A discarded failure does not count as one of the failures in a row. */
export function afterRecheck(forge: ThreadOnForge): ThreadOnForge {
  const ciRetries = Math.max(0, forge.ciRetries - (checksAreRed(forge) ? 1 : 0));
  return { ...forge, checks: null, ciRetries };
}
