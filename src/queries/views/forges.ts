import type { ForgeConnection, Forges } from '../../api/forges.ts';
import type { ConnectedRepository } from '../../board/connect-repository.ts';
import type { HookCoverage, RepositoryStatus } from '../../board/watch-repositories.ts';
import type { Board } from '../../domain/board.ts';
import { repositoryOn } from '../../domain/forge/connected-forges.ts';
import { timeOrNull } from './ids-and-times.ts';

export function forgesView({ forges }: Board, statuses: readonly RepositoryStatus[]): Forges {
  return {
    forges: [...forges.values()].map(({ name, kind, url }) => ({
      ...{ name, kind, url },
      repositories: statuses
        .filter(({ repo }) => repositoryOn(repo)?.forge === name)
        .map(({ repo, hook, lastDeliveryAt, labelsFault }) => ({
          repo,
          followed_by: wayOf(hook),
          says: hook?.is === 'polled' ? hook.because : null,
          last_delivery_at: timeOrNull(lastDeliveryAt),
          labels_fault: labelsFault,
        })),
    })),
  };
}

function wayOf(hook: HookCoverage | null) {
  if (hook === null) return 'unknown';
  return hook.is === 'covered' ? 'webhook' : 'polling';
}

export function connectionView(repositories: readonly ConnectedRepository[]): ForgeConnection {
  return {
    repositories: repositories.map(({ repo, labels, hook, failure }) => ({
      repo,
      labels: { created: [...labels.created], repaired: [...labels.repaired] },
      hook: hook.is,
      hook_proven: hook.is !== 'none' && hook.isProven,
      says: hook.is === 'none' ? hook.because : null,
      failure,
    })),
  };
}
