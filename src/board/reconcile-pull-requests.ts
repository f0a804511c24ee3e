import type { HallEvent, Recorded } from '../domain/event.ts';
import type { ThreadId } from '../domain/ids.ts';
import {
  nextPullRequestAction,
  type PullRequestAction,
  pendingPullRequestActions,
} from '../domain/pull-request-actions.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { PullRequestHost } from '../ports/pull-request-host.ts';
import { createBaseChecks } from './check-base.ts';
import type { Hall } from './hall.ts';
import { type ActionNeeds, factsOf, runPullRequestAction } from './run-pull-request-action.ts';

interface Needs {
  readonly hall: Hall;
  readonly host: PullRequestHost;
  readonly clock: Clock;
  readonly log: Log;
}

/** A pull-request action that failed and will be retried. */
export interface FailedAction {
  readonly kind: PullRequestAction['kind'];
  readonly thread: ThreadId;
  readonly because: string;
}

interface PullRequestReconciler {
  failing(): readonly FailedAction[];
  stop(): Promise<void>;
}

const LOOK_EVERY = 60_000;
/** A forge computes within seconds whether a pull request can be merged. */
const TRY_AGAIN_AFTER = 5_000;
const MAX_AT_ONCE = 2;

/**
 * Carries out the pending pull-request actions while this node leads. They are derived from the
 * board: after each event in a thread, and periodically for all threads, so a crash or failure
 * loses none.
 */
export function reconcilePullRequests(needs: Needs): PullRequestReconciler {
  const { hall, clock } = needs;
  const tryAgain = (action: PullRequestAction) =>
    void clock.after(TRY_AGAIN_AFTER, () => {
      if (hall.leading()) actions.begin(action);
    });
  const checkBase = createBaseChecks(needs);
  const actions: PullRequestActions = new PullRequestActions({ ...needs, checkBase, tryAgain });
  const threads = createThreads(hall);
  let timer = clock.after(0, lookAtAll);

  function lookAtAll(): void {
    beginAll();
    timer = clock.after(LOOK_EVERY, lookAtAll);
  }

  function beginAll(): void {
    if (!hall.leading()) return;
    for (const action of pendingPullRequestActions(hall.board)) actions.begin(action);
  }

  const listening = hall.subscribe((events) => {
    for (const { event } of events) {
      const thread = threads.about(event);
      const action = thread === undefined ? undefined : nextPullRequestAction(hall.board, thread);
      if (action && hall.leading()) actions.begin(action);
    }
    if (events.some(({ event }) => concernsBase(event))) beginAll();
  });
  return {
    failing: () => actions.failing(),
    async stop() {
      listening.stop();
      timer.cancel();
      await actions.stop();
    },
  };
}

/** Threads other than its own may have waited for a green base. */
function concernsBase({ type }: HallEvent): boolean {
  return type === 'PullRequestMerged' || type === 'BaseChecksReported';
}

/** A run's end names no thread, and the run has left the board by then. */
function createThreads({ board }: Hall) {
  const threadOf = new Map([...board.runs.values()].map(({ id, thread }) => [id, thread]));
  return {
    about(event: Recorded['event']): ThreadId | undefined {
      if (event.type === 'RunClaimed') {
        const thread = board.tasks.get(event.run.task)?.thread;
        if (thread !== undefined) threadOf.set(event.run.id, thread);
        return undefined;
      }
      if (event.type === 'RunEnded') {
        const thread = threadOf.get(event.run);
        threadOf.delete(event.run);
        return thread;
      }
      return 'thread' in event && typeof event.thread === 'number' ? event.thread : undefined;
    },
  };
}

/** A few at a time, each once. */
class PullRequestActions {
  readonly #needs: ActionNeeds;
  readonly #ending = new AbortController();
  readonly #underWay = new Map<string, Promise<unknown>>();
  readonly #waiting = new Map<string, PullRequestAction>();
  readonly #failures = new Map<
    string,
    { readonly action: PullRequestAction; readonly because: string }
  >();

  constructor(needs: ActionNeeds) {
    this.#needs = needs;
  }

  begin(action: PullRequestAction): void {
    const key = keyOf(action);
    if (this.#ending.signal.aborted || this.#underWay.has(key)) return;
    if (this.#underWay.size >= MAX_AT_ONCE) {
      this.#waiting.set(key, action);
      return;
    }
    const done = this.#run(action)
      .then(() => this.#failures.delete(key))
      .catch((fault: Error) => this.#failed(action, fault))
      .finally(() => this.#over(key));
    this.#underWay.set(key, done);
  }

  /** Drops failures that no longer matter: an outdated commit needs no checks. */
  failing(): readonly FailedAction[] {
    for (const [key, { action }] of this.#failures) {
      const now = nextPullRequestAction(this.#needs.hall.board, action.thread.id);
      if (!now || !isSame(now, action)) this.#failures.delete(key);
    }
    return [...this.#failures.values()].map(({ action: { kind, thread }, because }) => ({
      kind,
      thread: thread.id,
      because,
    }));
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    this.#waiting.clear();
    await Promise.all(this.#underWay.values());
  }

  /**
   * Looks at the board again, which recovers from a crash between forge and board: checks run again,
   * and a merge that was already made is recognised.
   */
  async #run(planned: PullRequestAction): Promise<void> {
    const action = nextPullRequestAction(this.#needs.hall.board, planned.thread.id);
    if (!action || !isSame(action, planned)) return;
    await runPullRequestAction(this.#needs, action, this.#ending.signal);
  }

  #failed(action: PullRequestAction, fault: Error): void {
    if (this.#ending.signal.aborted) return;
    this.#failures.set(keyOf(action), { action, because: fault.message });
    this.#needs.log.error('pull request action failed', {
      ...factsOf(action),
      fault: fault.message,
    });
  }

  #over(key: string): void {
    this.#underWay.delete(key);
    const [next] = this.#waiting;
    if (!next) return;
    this.#waiting.delete(next[0]);
    this.begin(next[1]);
  }
}

function keyOf({ kind, thread, commit }: PullRequestAction): string {
  return `${kind} ${thread.id} ${commit}`;
}

/** The same kind of action on the same commit; the rest is read from the board when it starts. */
function isSame(action: PullRequestAction, other: PullRequestAction): boolean {
  return keyOf(action) === keyOf(other);
}
