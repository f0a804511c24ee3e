import { ago } from '../board/check-forge.ts';
import type { FollowedRepository } from '../board/look-at-forges.ts';
import type { FailedAction } from '../board/reconcile-pull-requests.ts';
import type { RepositoryStatus } from '../board/watch-repositories.ts';
import type { Board } from '../domain/board.ts';
import { forgeOf, repositoryOn } from '../domain/forge/connected-forges.ts';
import { type Instant, nameOf } from '../domain/ids.ts';
import type { PullRequestAction } from '../domain/pull-request-actions.ts';

interface ForgesHealth {
  readonly status: 'up' | 'degraded';
  readonly says: string;
}

interface ForgeFacts {
  readonly board: Board;
  readonly isLeading: boolean;
  /** Checks, merges and updates of pull requests that failed. */
  readonly failing: readonly FailedAction[];
  /** What this node follows; null before it starts. */
  readonly repositories: readonly FollowedRepository[] | null;
  readonly connections: readonly RepositoryStatus[];
  readonly now: Instant;
}

/** Whether issues and pull requests are followed. Nothing else reports these failures. */
export function forgesHealth(facts: ForgeFacts): ForgesHealth {
  const { board, isLeading, failing } = facts;
  const lacks = [
    ...failedActions(failing),
    ...unconnected(board),
    ...unreadable(facts),
    ...unlabelled(facts),
  ];
  if (lacks.length > 0) return { status: 'degraded', says: lacks.join('; ') };
  if (!isLeading) return { status: 'up', says: 'handled by the leader' };
  const followed = (facts.repositories ?? []).map(({ repo }) => wayOf(facts, repo));
  const says =
    followed.length === 0
      ? 'no check or merge is failing'
      : `follows ${[...followed, ...budgets(facts)].join('; ')}`;
  return { status: 'up', says };
}

/** By a webhook, and when it last brought something; or by polling, and why. */
function wayOf({ connections, now }: ForgeFacts, repo: string): string {
  const { hook, lastDeliveryAt } = connections.find((each) => each.repo === repo) ?? {};
  if (!hook) return repo;
  if (hook.is === 'polled') return `${repo} by polling, because ${hook.because}`;
  const last = lastDeliveryAt == null ? 'none since the start' : ago(now - lastDeliveryAt);
  return `${repo} by webhook, last delivery ${last}`;
}

/** What each forge still takes, once for all its repositories. */
function budgets({ repositories }: ForgeFacts): readonly string[] {
  const said = (repositories ?? []).flatMap(({ repo, calls }) => {
    if (calls === null) return [];
    const { rate, writesInLastMinute, maxWritesPerMinute } = calls;
    const writes = `${writesInLastMinute} of ${maxWritesPerMinute} writes in the last minute`;
    const left = rate === null ? '' : `, ${rate.remaining} of ${rate.limit} calls left`;
    return [`${repositoryOn(repo)?.forge}: ${writes}${left}`];
  });
  return [...new Set(said)];
}

function unlabelled({ isLeading, connections }: ForgeFacts): readonly string[] {
  if (!isLeading) return [];
  return connections.flatMap(({ repo, labelsFault }) =>
    labelsFault === null ? [] : [`labels of ${repo} could not be written: ${labelsFault}`],
  );
}

function failedActions(failing: readonly FailedAction[]): readonly string[] {
  const actions = failing.map(
    ({ kind, thread, because }) => `${WORDS[kind]} ${nameOf('thread', thread)}: ${because}`,
  );
  return actions.length > 0 ? [`retrying every minute: ${actions.join('; ')}`] : [];
}

const WORDS = {
  check: 'could not run the checks of',
  'check-base': 'could not run the checks on the base of',
  rerun: 'could not start the flaky checks again of',
  rebase: 'could not rebase',
  update: 'could not move onto its newer base',
  merge: 'could not merge',
} as const satisfies Record<PullRequestAction['kind'], string>;

/** Projects on a forge that the configuration does not connect. */
function unconnected(board: Board): readonly string[] {
  const repos = [...board.projects.values()].filter(
    (project) => repositoryOn(project.settings.repo) && !forgeOf(board, project),
  );
  const names = [...new Set(repos.map(({ settings }) => repositoryOn(settings.repo)?.forge))];
  return names.length === 0 ? [] : [`not connected, so not followed: ${names.join(', ')}`];
}

function unreadable({ isLeading, repositories }: ForgeFacts): readonly string[] {
  if (!isLeading || repositories === null) return [];
  return repositories.flatMap(({ repo, failure }) =>
    failure === null ? [] : [`task source unavailable: ${repo}: ${failure}`],
  );
}
