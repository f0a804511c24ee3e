import { anyOfType } from '../agent-name.ts';
import type { Board } from '../board.ts';
import type { ClosedWork } from '../closed-work.ts';
import { type Decision, decide, type Now } from '../decision.ts';
import type { ThreadId } from '../ids.ts';
import { defaultType } from '../skill.ts';
import { type LookResult, openThreadOf, recordOf, seenEvents } from './look-result.ts';
import { postFromForge } from './post-from-forge.ts';
import { actorOf, mayTrigger, teamsFor } from './rights.ts';
import type { Account } from './snapshot.ts';

/** An issue was assigned to an account of the hall, or a review was requested from one. */
interface Assignment {
  readonly event: string;
  readonly by: Account | null;
  readonly skill: 'triage' | 'implement' | 'review';
  /** The type whose account it is; null for the hall's own account. */
  readonly type: string | null;
}

export function newAssignments(board: Board, result: LookResult): readonly Assignment[] {
  const { events } = recordOf(board, result).seen;
  return [...assigned(board, result), ...requested(board, result)].filter(
    ({ event }) => !events.includes(event),
  );
}

function assigned(board: Board, { snapshot, rights }: LookResult): readonly Assignment[] {
  return (snapshot.issue?.assignees ?? []).flatMap(({ account, by, event }): Assignment[] => {
    const type = typeOf(board, account);
    if (type !== null) return [{ event, by, skill: 'implement', type }];
    return account.id === rights.own.id ? [{ event, by, skill: 'triage', type: null }] : [];
  });
}

/** Forges do not say who requested a review, so the author of the pull request counts. */
function requested(board: Board, { snapshot: { pull } }: LookResult): readonly Assignment[] {
  return (pull?.requestedReviewers ?? []).flatMap((account): Assignment[] => {
    const type = typeOf(board, account);
    if (!pull || type === null) return [];
    const event = `review-requested-${account.id}-${pull.head}`;
    return [{ event, by: pull.author, skill: 'review', type }];
  });
}

function typeOf(board: Board, { login }: Account): string | null {
  const found = [...board.types.values()].find(({ settings }) => settings.forgeUser === login);
  return found?.name ?? null;
}

/** The agent that an assignment starts. */
export function agentOfAssignment(board: Board, { type, skill }: Assignment): string {
  return anyOfType(board, type ?? defaultType(skill)).agent;
}

/** Assigned to the hall it is triaged, assigned to a type's own account it is that type's work. */
export function takeAssignment(
  board: Board,
  closed: ClosedWork,
  { result, assignment }: { readonly result: LookResult; readonly assignment: Assignment },
  now: Now,
): Decision<ThreadId | null> {
  const { event, by, skill, type } = assignment;
  const record = recordOf(board, result);
  const seen = { events: [...record.seen.events, event] };
  const isOurs = by?.id === result.rights.own.id && openThreadOf(board, result) !== undefined;
  const teams = teamsFor(board, agentOfAssignment(board, assignment));
  if (!isOurs && !mayTrigger(result.rights, by, teams)) {
    return decide(null, seenEvents(record, seen));
  }
  const actor = by ? actorOf(result.repo, by) : now.actor;
  return postFromForge(
    board,
    closed,
    result,
    { skill, agent: type, body: '', by, seen },
    { ...now, actor },
  );
}
