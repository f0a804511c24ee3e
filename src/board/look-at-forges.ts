import type { Board } from '../domain/board.ts';
import { checksAreDue } from '../domain/checking/status.ts';
import { decide } from '../domain/decision.ts';
import { forgeOf, repositoryOn } from '../domain/forge/connected-forges.ts';
import { homeOf, issueKey } from '../domain/forge/issue-record.ts';
import type { Duration, Instant } from '../domain/ids.ts';
import type { Project } from '../domain/project.ts';
import { knownPullRequest, type Thread } from '../domain/thread.ts';
import type { Clock } from '../ports/clock.ts';
import { type CallBudget, type Forge, ForgeFailed } from '../ports/forge.ts';
import type { Log } from '../ports/log.ts';
import { LeadershipLost } from '../ports/store.ts';
import type { LookNeeds } from './apply-look.ts';
import { ForgeBackoff } from './forge-backoff.ts';
import { lookAtThread } from './look-at-thread.ts';
import { RepositoryChanges } from './read-forge-changes.ts';

interface ForgeLooksNeeds extends LookNeeds {
  readonly clock: Clock;
  readonly log: Log;
  /** The client of a connected forge by its name. */
  readonly forgeNamed: (name: string) => Forge | undefined;
  readonly pollEvery: (forge: string) => PollTimes;
  /** Whether a webhook covers a repository. */
  readonly isCovered: (repo: string) => boolean;
}

/** How often a repository is read: while the hall has open work in it, otherwise, and where a webhook covers it. */
export interface PollTimes {
  readonly active: Duration;
  readonly idle: Duration;
  readonly covered: Duration;
}

/** How a repository on a forge is followed, for health. */
export interface FollowedRepository {
  readonly repo: string;
  readonly readAt: number | null;
  readonly failure: string | null;
  /** Of its forge; null where it is not connected. */
  readonly calls: CallBudget | null;
}

interface ForgeLooks {
  repositories(): readonly FollowedRepository[];
  /** Looks at an issue of a project now, which a task source named. Throws `ForgeFailed`. */
  lookAt(project: string, number: number): Promise<void>;
  /** Waits for the pass in progress. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

const TICK: Duration = 1_000;

/** A head with a red check is not waited for much longer than its checks take to settle. */
const LOOK_AT_RED_EVERY: Duration = 5 * 60_000;

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
    lookAt: (project, number) => looks.lookAt(project, number),
    idle: () => looks.idle(),
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
  readonly #headsReadAt = new Map<string, Duration>();
  readonly #savedAt = new Map<string, Duration>();
  readonly #changes = new Map<string, RepositoryChanges>();
  /** For each waiting head, how often its time for a look without a change has come. */
  readonly #turns = new Map<string, number>();
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
      failure: this.#backoff.failureOf({ forge: name, about: repo }),
      calls: this.#needs.forgeNamed(name)?.callBudget() ?? null,
    }));
  }

  async lookAt(project: string, number: number): Promise<void> {
    const followed = this.#followed().find((each) => each.project.name === project);
    if (followed) await this.#look(followed, number);
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
      else if (this.#areHeadsDue(each)) await this.#try(each, () => this.#readHeads(each));
    }
  }

  #isDue({ repo, name }: Followed): boolean {
    const { active, idle, covered } = this.#needs.pollEvery(name);
    const polled = hasOpenWork(this.#needs.hall.board, repo) ? active : idle;
    // After a failure the rest may have been missed, so the next reading comes as soon as without a webhook.
    const isRare =
      this.#needs.isCovered(repo) && this.#backoff.failureOf({ forge: name, about: repo }) === null;
    return this.#hasPassed(this.#readAt.get(repo), isRare ? covered : polled);
  }

  /** Not every forge sends the end of CI, and none sends that there is no CI: heads are read as without a webhook. */
  #areHeadsDue({ repo, name }: Followed): boolean {
    return this.#hasPassed(this.#headsReadAt.get(repo), this.#needs.pollEvery(name).active);
  }

  #hasPassed(last: Duration | undefined, every: Duration): boolean {
    return last === undefined || this.#needs.clock.monotonic() - last >= every;
  }

  async #poll(each: Followed): Promise<void> {
    const { clock, hall } = this.#needs;
    const { repo, path, forge } = each;
    this.#readAt.set(repo, clock.monotonic());
    const known = this.#changesIn(repo);
    const list = await forge.changedSince(path, known.since);
    if (list.changes.length === 0 && !(await forge.exists(path))) throw notThere(each);
    const changes = known.toLookAt(list);
    const looked = new Map<string, Duration>();
    for (const change of changes) {
      const home = homeOf(hall.board, repo, change.number);
      const key = issueKey(home.repo, home.number);
      const begunAt = looked.get(key) ?? clock.monotonic();
      if (!looked.has(key)) await this.#look(each, change.number);
      looked.set(key, begunAt);
      known.lookedAt(change, begunAt);
    }
    await this.#readHeads(each, new Set(looked.keys()));
    known.done(list, clock.monotonic());
    await this.#saveCursor(repo, new Date(known.since ?? 0).toISOString(), changes.length > 0);
  }

  /** Looks at the checks of heads whose CI is not done, except of those that were just looked at. */
  async #readHeads(each: Followed, looked: ReadonlySet<string> = new Set()): Promise<void> {
    const { clock, hall } = this.#needs;
    this.#headsReadAt.set(each.repo, clock.monotonic());
    for (const head of headsWaitingForChecks(hall.board, each.project)) {
      const home = homeOf(hall.board, each.repo, head.number);
      if (!looked.has(issueKey(home.repo, home.number))) await this.#lookAtChecks(each, head);
    }
  }

  #changesIn(repo: string): RepositoryChanges {
    const saved = this.#needs.hall.board.cursors.get(repo);
    const known =
      this.#changes.get(repo) ??
      new RepositoryChanges(saved === undefined ? null : Date.parse(saved));
    this.#changes.set(repo, known);
    return known;
  }

  /** One call for a head whose checks are as they were, unless time itself changes what they mean. */
  async #lookAtChecks(
    each: Followed,
    { number, commit, since, isRed }: WaitingHead,
  ): Promise<void> {
    const age = this.#needs.clock.now() - since;
    const { ciWait } = each.project.settings;
    const turn = isRed ? Math.floor(age / LOOK_AT_RED_EVERY) : Number(age >= ciWait);
    const isDue = turn > (this.#turns.get(commit) ?? 0);
    const isChanged = await each.forge.haveChecksChanged(each.path, commit);
    if (isChanged || isDue) await this.#look(each, number);
    this.#turns.set(commit, turn);
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
    const asked = issueKey(each.repo, number);
    for (let isCurrent = false; !isCurrent; ) {
      const home = homeOf(this.#needs.hall.board, each.repo, number);
      const there = this.#followed().find(({ repo }) => repo === home.repo);
      if (!there) return;
      const { forge, project, repo, path } = there;
      const place = { forge, project, repo, path, number: home.number, asked };
      isCurrent = await lookAtThread(this.#needs, place);
    }
  }

  /** A forge that fails is left alone for a while, and work on the board goes on. */
  async #try({ name, repo }: Followed, doing: () => Promise<void>): Promise<void> {
    const subject = { forge: name, about: repo };
    if (!this.#backoff.mayTry(subject)) return;
    try {
      await doing();
      this.#backoff.worked(subject);
    } catch (fault) {
      // Another node leads now, or the hall stops: whoever leads next does it again.
      if (fault instanceof LeadershipLost) return;
      if (!(fault instanceof ForgeFailed)) throw fault;
      this.#backoff.failed(subject, fault);
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

interface WaitingHead {
  /** Under which the pull request is found. */
  readonly number: number;
  readonly commit: string;
  readonly since: Instant;
  /** Some of its checks have failed. */
  readonly isRed: boolean;
}

/** The heads of pull requests whose CI is not done. */
function headsWaitingForChecks(board: Board, { name, settings }: Project): readonly WaitingHead[] {
  return [...board.threads.values()]
    .filter((thread) => thread.project === name && isWaiting(thread, settings))
    .flatMap(({ forge }) => {
      const issue = forge.issue?.isElsewhere ? undefined : forge.issue;
      const number = issue?.number ?? knownPullRequest(forge.pr)?.number;
      const { head: commit, headAt: since = 0, checks } = forge;
      if (number === undefined || commit === null) return [];
      const isRed = checks?.commit === commit && checks.failing.length > 0;
      return board.issues.has(issueKey(settings.repo ?? '', number))
        ? [{ number, commit, since, isRed }]
        : [];
    });
}

function isWaiting({ forge }: Thread, settings: Project['settings']): boolean {
  return forge.pr?.state === 'open' && checksAreDue(forge, settings);
}
