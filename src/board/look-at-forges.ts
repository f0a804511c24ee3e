import type { Board } from '../domain/board.ts';
import { checksAreDue } from '../domain/checking/status.ts';
import { decide } from '../domain/decision.ts';
import { forgeOf, repositoryOn } from '../domain/forge/connected-forges.ts';
import { issueKey } from '../domain/forge/issue-record.ts';
import type { Duration } from '../domain/ids.ts';
import type { Project } from '../domain/project.ts';
import { knownPullRequest, type Thread } from '../domain/thread.ts';
import type { Clock } from '../ports/clock.ts';
import { type Forge, ForgeFailed } from '../ports/forge.ts';
import type { Log } from '../ports/log.ts';
import { LeadershipLost } from '../ports/store.ts';
import { ForgeBackoff } from './forge-backoff.ts';
import { type LookNeeds, lookAtThread } from './look-at-thread.ts';

interface ForgeLooksNeeds extends LookNeeds {
  readonly clock: Clock;
  readonly log: Log;
  /** The client of a connected forge by its name. */
  readonly forgeNamed: (name: string) => Forge | undefined;
  readonly pollEvery: (forge: string) => { readonly active: Duration; readonly idle: Duration };
}

/** How a repository on a forge is followed, for health. */
export interface FollowedRepository {
  readonly repo: string;
  readonly readAt: number | null;
  readonly failure: string | null;
}

interface ForgeLooks {
  repositories(): readonly FollowedRepository[];
  /** Looks at a repository now, such as when a person asks for it. */
  sync(repo: string): Promise<void>;
  stop(): Promise<void>;
}

const TICK: Duration = 1_000;

/** How often the position in the changes of a quiet repository is saved. */
const SAVE_CURSOR_EVERY: Duration = 10 * 60_000;

/**
 * Reads forges while this node leads: what webhooks named, what changed since the last poll, and the checks
 * of open pull requests. The same look serves all three, so a lost delivery costs only time.
 */
export function lookAtForges(needs: ForgeLooksNeeds): ForgeLooks {
  const looks = new Looks(needs);
  let isStopped = false;
  let timer = needs.clock.after(0, tick);

  function tick(): void {
    void looks.advance().finally(() => {
      if (!isStopped) timer = needs.clock.after(TICK, tick);
    });
  }

  const listening = needs.hall.subscribe((events) => {
    if (events.some(({ event }) => event.type === 'LookRequested')) void looks.advance();
  });
  return {
    repositories: () => looks.repositories(),
    sync: (repo) => looks.sync(repo),
    async stop() {
      isStopped = true;
      timer.cancel();
      listening.stop();
      await looks.idle();
    },
  };
}

interface Followed {
  readonly project: Project;
  readonly repo: string;
  readonly path: string;
  readonly name: string;
  readonly forge: Forge;
}

class Looks {
  readonly #needs: ForgeLooksNeeds;
  readonly #backoff: ForgeBackoff;
  readonly #readAt = new Map<string, Duration>();
  readonly #savedAt = new Map<string, Duration>();
  readonly #cursors = new Map<string, string>();
  #advancing: Promise<void> | undefined;
  #isAgain = false;

  constructor(needs: ForgeLooksNeeds) {
    this.#needs = needs;
    this.#backoff = new ForgeBackoff(needs.clock);
  }

  repositories(): readonly FollowedRepository[] {
    return this.#followed().map(({ repo, name }) => ({
      repo,
      readAt: this.#readAt.get(repo) ?? null,
      failure: this.#backoff.failureOf(name),
    }));
  }

  async sync(repo: string): Promise<void> {
    const followed = this.#followed().find((each) => each.repo === repo);
    if (followed) await this.#poll(followed);
  }

  async idle(): Promise<void> {
    await this.#advancing;
  }

  /** One pass at a time; a request that comes during a pass causes another. */
  advance(): Promise<void> {
    this.#isAgain = true;
    this.#advancing ??= this.#passes().finally(() => {
      this.#advancing = undefined;
    });
    return this.#advancing;
  }

  async #passes(): Promise<void> {
    while (this.#isAgain) {
      this.#isAgain = false;
      if (this.#needs.hall.leading()) await this.#pass();
    }
  }

  async #pass(): Promise<void> {
    const followed = this.#followed();
    for (const each of followed) {
      for (const number of requestedIn(this.#needs.hall.board, each.repo)) {
        await this.#try(each, () => this.#look(each, number));
      }
      if (this.#isDue(each)) await this.#try(each, () => this.#poll(each));
    }
  }

  #isDue({ repo, name }: Followed): boolean {
    const { active, idle } = this.#needs.pollEvery(name);
    const every = hasOpenWork(this.#needs.hall.board, repo) ? active : idle;
    const last = this.#readAt.get(repo);
    return last === undefined || this.#needs.clock.monotonic() - last >= every;
  }

  async #poll(each: Followed): Promise<void> {
    const { clock, hall } = this.#needs;
    const { repo, path, forge } = each;
    this.#readAt.set(repo, clock.monotonic());
    const before = this.#cursors.get(repo) ?? hall.board.cursors.get(repo) ?? null;
    const { numbers, cursor } = await forge.changedSince(path, before);
    if (numbers.length === 0 && !(await forge.exists(path))) throw notThere(each);
    for (const number of numbers) await this.#look(each, number);
    for (const number of headsWaitingForChecks(hall.board, each.project)) {
      if (!numbers.includes(number)) await this.#look(each, number);
    }
    this.#cursors.set(repo, cursor);
    await this.#saveCursor(repo, cursor, numbers.length > 0 || before === null);
  }

  async #saveCursor(repo: string, cursor: string, isNews: boolean): Promise<void> {
    const { clock, hall } = this.#needs;
    const last = this.#savedAt.get(repo);
    const isOld = last === undefined || clock.monotonic() - last >= SAVE_CURSOR_EVERY;
    if (!isNews && !isOld) return;
    this.#savedAt.set(repo, clock.monotonic());
    if (hall.board.cursors.get(repo) === cursor) return;
    const meta = { actor: 'hall', cause: 'forge' };
    const read = { type: 'RepositoryRead', repo, cursor } as const;
    await hall.leading()?.writer.change({ meta, decide: () => decide(repo, [read]) });
  }

  /** A pull request is looked at together with its issue. */
  async #look(each: Followed, number: number): Promise<void> {
    const key = issueKey(each.repo, number);
    const home = this.#needs.hall.board.issues.get(key)?.home;
    const there = home && this.#followed().find(({ repo }) => repo === home.repo);
    const { forge, project, repo, path } = there ?? each;
    const at = there && home ? home.number : number;
    await lookAtThread(this.#needs, { forge, project, repo, path, number: at, asked: key });
  }

  /** A forge that fails is left alone for a while, and work on the board goes on. */
  async #try({ name, repo }: Followed, doing: () => Promise<void>): Promise<void> {
    if (!this.#backoff.mayTry(name)) return;
    try {
      await doing();
      this.#backoff.worked(name);
    } catch (fault) {
      // Another node leads now, or the hall stops: whoever leads next does it again.
      if (fault instanceof LeadershipLost) return;
      if (!(fault instanceof ForgeFailed)) throw fault;
      this.#backoff.failed(name, fault);
      this.#needs.log.warn('forge failed', { forge: name, repo, fault: fault.message });
    }
  }

  #followed(): readonly Followed[] {
    const { hall, forgeNamed } = this.#needs;
    return [...hall.board.projects.values()].flatMap((project) => {
      const repository = repositoryOn(project.settings.repo);
      const name = forgeOf(hall.board, project)?.name;
      const forge = name === undefined ? undefined : forgeNamed(name);
      if (!repository || !forge || name === undefined || project.paused) return [];
      return [{ project, repo: project.settings.repo ?? '', path: repository.path, name, forge }];
    });
  }
}

/** Lists of a repository that was renamed are empty, which looks as if nothing happened there. */
function notThere({ path, project }: Followed): ForgeFailed {
  const because = `${path} is not there: it was renamed or deleted, or the hall lost its access; correct repo of the project ${project.name}`;
  return new ForgeFailed(because, { retry: 'never' });
}

function requestedIn(board: Board, repo: string): readonly number[] {
  return [...board.looks.values()].filter((look) => look.repo === repo).map(({ number }) => number);
}

function hasOpenWork(board: Board, repo: string): boolean {
  return [...board.issues.values()].some(
    ({ thread, key }) => thread !== null && key.startsWith(`${repo}#`) && board.threads.has(thread),
  );
}

/** The numbers under which pull requests are found whose CI is not done. */
function headsWaitingForChecks(board: Board, { name, settings }: Project): readonly number[] {
  return [...board.threads.values()]
    .filter((thread) => thread.project === name && isWaiting(thread, settings))
    .flatMap(({ forge: { issue, pr } }) => {
      const number = issue?.isElsewhere ? undefined : issue?.number;
      return number ?? knownPullRequest(pr)?.number ?? [];
    })
    .filter((number) => board.issues.has(issueKey(settings.repo ?? '', number)));
}

function isWaiting({ forge }: Thread, settings: Project['settings']): boolean {
  return forge.pr?.state === 'open' && checksAreDue(forge, settings);
}
