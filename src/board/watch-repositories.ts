import type { Board } from '../domain/board.ts';
import { forgeOf, repositoryOn } from '../domain/forge/connected-forges.ts';
import type { Duration, Instant } from '../domain/ids.ts';
import type { Clock } from '../ports/clock.ts';
import type { ConnectableForge } from '../ports/forge-setup.ts';
import type { Log } from '../ports/log.ts';
import {
  type ConnectNeeds,
  NO_SECRET,
  NOT_REACHABLE,
  type RepositoryPlace,
} from './connect-repository.ts';
import { forgeFault } from './forge-fault.ts';
import { seedLabels } from './seed-labels.ts';

interface Needs extends ConnectNeeds {
  readonly clock: Clock;
  readonly log: Log;
  /** How often hand-edited labels of a forge's repositories are put right. */
  readonly labelsEvery: (forge: string) => Duration;
}

/** How a repository is connected, as far as this node found out. */
export interface RepositoryStatus {
  readonly repo: string;
  /** Null before the first look. */
  readonly hook: HookCoverage | null;
  /** Why its labels are not as they should be; null when they are, or before the first look. */
  readonly labelsFault: string | null;
  /** Since this node started. */
  readonly lastDeliveryAt: Instant | null;
}

export type HookCoverage =
  | { readonly is: 'covered' }
  | { readonly is: 'polled'; readonly because: string };

interface WatchedRepositories {
  places(): readonly RepositoryPlace[];
  statuses(): readonly RepositoryStatus[];
  /** Looks again at all of them soon. */
  lookAgain(): void;
  stop(): Promise<void>;
}

const TICK: Duration = 1_000;
const HOOKS_EVERY: Duration = 60 * 60_000;
const RETRY: Duration = 60_000;

/**
 * While this node leads: keeps the labels of every repository as they should be, from its start, whenever the
 * agents change and every few minutes, and finds out which repositories no webhook covers.
 */
export function watchRepositories(needs: Needs): WatchedRepositories {
  const watch = new RepositoryWatch(needs);
  let isStopped = false;
  let looking: Promise<void> = Promise.resolve();
  let timer = needs.clock.after(0, tick);

  function tick(): void {
    looking = watch.look().finally(() => {
      if (!isStopped) timer = needs.clock.after(TICK, tick);
    });
  }

  const listening = needs.hall.subscribe((events) => {
    if (events.some(({ event }) => CHANGES_LABELS.test(event.type))) watch.lookAgain();
  });
  return {
    places: () => placesIn(needs),
    statuses: () => watch.statuses(),
    lookAgain: () => watch.lookAgain(),
    async stop() {
      isStopped = true;
      timer.cancel();
      listening.stop();
      await looking;
    },
  };
}

const CHANGES_LABELS =
  /^(Persona|Instance|Type|Project)(Set|Removed)$|^Forge(Connected|Disconnected)$|^SecretSet$/;

interface Known {
  readonly hook: HookCoverage | null;
  readonly labelsFault: string | null;
  readonly labelsDueAt: Duration;
  readonly hookDueAt: Duration;
}

const NOTHING_KNOWN: Known = { hook: null, labelsFault: null, labelsDueAt: 0, hookDueAt: 0 };

class RepositoryWatch {
  readonly #needs: Needs;
  #known = new Map<string, Known>();

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  statuses(): readonly RepositoryStatus[] {
    const { deliveries } = this.#needs;
    return placesIn(this.#needs).map(({ repo }) => {
      const { hook, labelsFault } = this.#known.get(repo) ?? NOTHING_KNOWN;
      return { repo, hook, labelsFault, lastDeliveryAt: deliveries.lastOf(repo) };
    });
  }

  lookAgain(): void {
    for (const [repo, known] of this.#known) {
      this.#known.set(repo, { ...known, labelsDueAt: 0, hookDueAt: 0 });
    }
  }

  async look(): Promise<void> {
    const { hall, clock } = this.#needs;
    for (const place of placesIn(this.#needs)) {
      if (!hall.leading()) return;
      const now = clock.monotonic();
      const known = this.#known.get(place.repo) ?? NOTHING_KNOWN;
      if (known.labelsDueAt <= now) await this.#lookAtLabels(place, now);
      if (known.hookDueAt <= now) await this.#lookAtHook(place, now);
    }
  }

  async #lookAtLabels(place: RepositoryPlace, now: Duration): Promise<void> {
    const { hall, log, labelsEvery } = this.#needs;
    const { repo, path, forge, name } = place;
    const fault = await faultOf(async () => {
      const { created, repaired } = await seedLabels(forge.setup, path, hall.board);
      if (created.length + repaired.length > 0) {
        const names = [...created, ...repaired].join(', ');
        log.info('labels seeded', { repo, labels: names });
      }
    });
    if (fault !== null) log.warn('labels not seeded', { repo, fault });
    const labelsDueAt = now + (fault === null ? labelsEvery(name) : RETRY);
    this.#note(repo, { labelsFault: fault, labelsDueAt });
  }

  async #lookAtHook(place: RepositoryPlace, now: Duration): Promise<void> {
    const { repo } = place;
    let hook: HookCoverage = { is: 'covered' };
    const fault = await faultOf(async () => {
      hook = await coverageOf(this.#needs, place);
    });
    if (fault !== null) hook = { is: 'polled', because: fault };
    this.#note(repo, { hook, hookDueAt: now + (fault === null ? HOOKS_EVERY : RETRY) });
  }

  #note(repo: string, news: Partial<Known>): void {
    this.#known.set(repo, { ...(this.#known.get(repo) ?? NOTHING_KNOWN), ...news });
  }
}

async function faultOf(work: () => Promise<void>): Promise<string | null> {
  return (await forgeFault(work))?.message ?? null;
}

/** Whether a webhook covers a repository with the events that the hall needs. */
export async function coverageOf(
  { webhookUrl, webhookSecrets }: Pick<ConnectNeeds, 'webhookUrl' | 'webhookSecrets'>,
  { name, path, forge }: RepositoryPlace,
): Promise<HookCoverage> {
  const url = webhookUrl(name);
  if (url === null) return { is: 'polled', because: NOT_REACHABLE };
  if (webhookSecrets(name).length === 0) return { is: 'polled', because: NO_SECRET };
  const hook = await forge.setup.hookTo(path, url);
  if (!hook) return { is: 'polled', because: `no webhook sends to ${url}` };
  if (!hook.isActive) return { is: 'polled', because: `the webhook to ${url} is not active` };
  if (hook.missingEvents.length === 0) return { is: 'covered' };
  const events = hook.missingEvents.join(', ');
  return { is: 'polled', because: `the webhook to ${url} does not send ${events}` };
}

/** The repositories of projects on connected forges, each once. */
function placesIn({
  hall,
  forgeNamed,
}: Pick<Needs, 'hall' | 'forgeNamed'>): readonly RepositoryPlace[] {
  const places = repositoriesOf(hall.board).flatMap(({ repo, name, path }): RepositoryPlace[] => {
    const forge: ConnectableForge | undefined = forgeNamed(name);
    return forge ? [{ forge, name, repo, path }] : [];
  });
  return [...new Map(places.map((place) => [place.repo, place])).values()];
}

function repositoriesOf(board: Board) {
  return [...board.projects.values()].flatMap((project) => {
    const repository = repositoryOn(project.settings.repo);
    const name = forgeOf(board, project)?.name;
    if (!repository || name === undefined) return [];
    return [{ repo: project.settings.repo ?? '', name, path: repository.path }];
  });
}
