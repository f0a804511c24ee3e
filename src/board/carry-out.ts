import { checksCannotRun } from '../domain/checking/cannot-run.ts';
import { reportChecks } from '../domain/checking/reported.ts';
import { type Errand, errandOf, errandsOf } from '../domain/errands.ts';
import type { Recorded } from '../domain/event.ts';
import { nameOf, type ThreadId } from '../domain/ids.ts';
import { conflict } from '../domain/merging/conflict.ts';
import { land } from '../domain/merging/merged.ts';
import { mergeRefused } from '../domain/merging/refusal.ts';
import type { Clock } from '../ports/clock.ts';
import type { Forge, Pull } from '../ports/forge.ts';
import type { Log } from '../ports/log.ts';
import type { Change } from './command.ts';
import type { Hall } from './hall.ts';

interface Needs {
  readonly hall: Hall;
  readonly forge: Forge;
  readonly clock: Clock;
  readonly log: Log;
}

/** An errand that could not be done, and is tried again. */
export interface Failing {
  readonly kind: Errand['kind'];
  readonly thread: ThreadId;
  readonly because: string;
}

export interface CarryingOut {
  failing(): readonly Failing[];
  stop(): Promise<void>;
}

const LOOK_EVERY = 60_000;
const MOST_AT_ONCE = 2;

/**
 * Does what the hall has to do outside about pull requests, while this node leads. What is to be done
 * follows from the board: it is looked for when something happened to a thread, and now and then in
 * all of them, so that a crash or a failure forgets nothing.
 */
export function carryOut(needs: Needs): CarryingOut {
  const { hall, clock } = needs;
  const errands = new Errands(needs);
  const threads = createThreads(hall);
  let timer = clock.after(0, lookAtAll);

  function lookAtAll(): void {
    if (hall.leading()) for (const errand of errandsOf(hall.board)) errands.begin(errand);
    timer = clock.after(LOOK_EVERY, lookAtAll);
  }

  const listening = hall.subscribe((events) => {
    for (const { event } of events) {
      const thread = threads.about(event);
      const errand = thread === undefined ? undefined : errandOf(hall.board, thread);
      if (errand && hall.leading()) errands.begin(errand);
    }
  });
  return {
    failing: () => errands.failing(),
    async stop() {
      listening.stop();
      timer.cancel();
      await errands.stop();
    },
  };
}

/** The end of a run names no thread, and its run has left the board by then. */
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
class Errands {
  readonly #needs: Needs;
  readonly #ending = new AbortController();
  readonly #underWay = new Map<string, Promise<unknown>>();
  readonly #waiting = new Map<string, Errand>();
  readonly #failures = new Map<string, { readonly errand: Errand; readonly because: string }>();

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  begin(errand: Errand): void {
    const key = keyOf(errand);
    if (this.#ending.signal.aborted || this.#underWay.has(key)) return;
    if (this.#underWay.size >= MOST_AT_ONCE) {
      this.#waiting.set(key, errand);
      return;
    }
    const done = run(this.#needs, errand, this.#ending.signal)
      .then(() => this.#failures.delete(key))
      .catch((fault: Error) => this.#failed(errand, fault))
      .finally(() => this.#over(key));
    this.#underWay.set(key, done);
  }

  /** Only what is still to be done: a commit that was left behind needs no checks. */
  failing(): readonly Failing[] {
    for (const [key, { errand }] of this.#failures) {
      const now = errandOf(this.#needs.hall.board, errand.thread.id);
      if (!now || !isSame(now, errand)) this.#failures.delete(key);
    }
    return [...this.#failures.values()].map(({ errand: { kind, thread }, because }) => ({
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

  #failed(errand: Errand, fault: Error): void {
    if (this.#ending.signal.aborted) return;
    this.#failures.set(keyOf(errand), { errand, because: fault.message });
    this.#needs.log.error('errand failed', { ...factsOf(errand), fault: fault.message });
  }

  #over(key: string): void {
    this.#underWay.delete(key);
    const [next] = this.#waiting;
    if (!next) return;
    this.#waiting.delete(next[0]);
    this.begin(next[1]);
  }
}

function keyOf({ kind, thread, commit }: Errand): string {
  return `${kind} ${thread.id} ${commit}`;
}

/** The same kind of work on the same commit; the rest is taken from the board when it begins. */
function isSame(errand: Errand, other: Errand): boolean {
  return keyOf(errand) === keyOf(other);
}

function factsOf({ kind, thread, commit, project }: Errand) {
  const name = nameOf('thread', thread.id);
  return { errand: kind, thread: name, project: project.name, commit };
}

async function run(needs: Needs, asked: Errand, stop: AbortSignal): Promise<void> {
  const { hall, forge, log } = needs;
  // A crash between the outside and the board is made good by looking again: checks are run again,
  // and a merge that was made is found made.
  const errand = errandOf(hall.board, asked.thread.id);
  if (!errand || !isSame(errand, asked)) return;
  const pull = await pullOf(needs, errand);
  const { thread, commit } = errand;
  log.info('errand begins', factsOf(errand));
  if (errand.kind === 'check') {
    const { failing, excerpt, cannotRun } = await forge.check(pull, stop);
    if (stop.aborted) return;
    if (cannotRun !== null) {
      log.error('checks cannot run', { ...factsOf(errand), because: cannotRun });
      const found = { thread: thread.id, commit, because: cannotRun };
      await change(hall, (board, now) => checksCannotRun(board, found, now));
      return;
    }
    const is = failing.length === 0 ? 'green' : 'red';
    const said = { thread: thread.id, checks: { commit, is, failing }, excerpt } as const;
    await change(hall, (board, now) => reportChecks(board, said, now));
    return;
  }
  const merged = await forge.merge(pull);
  switch (merged.is) {
    case 'merged':
      await change(hall, (board, now) => land(board, thread.id, now));
      return;
    case 'conflict': {
      const found = { thread: thread.id, commit, files: merged.files };
      await change(hall, (board, now) => conflict(board, found, now));
      return;
    }
    case 'moved':
      return;
    case 'refused': {
      log.error('merge refused', { ...factsOf(errand), because: merged.because });
      const found = { thread: thread.id, because: merged.because };
      await change(hall, (board, now) => mergeRefused(board, found, now));
    }
  }
}

async function pullOf({ hall }: Needs, errand: Errand): Promise<Pull> {
  const { thread, project, branch, commit } = errand;
  const { settings } = project;
  const [record] = await hall.store.threadsById([thread.id]);
  const number = thread.forge.pr?.number ?? thread.id;
  return {
    repo: settings.repo ?? '',
    name: `${nameOf('thread', thread.id)}-${commit.slice(0, 12)}`,
    title: record?.title ?? nameOf('thread', thread.id),
    number,
    branch,
    commit,
    base: settings.base,
    who: { name: 'Guildhall', email: 'hall@guildhall.invalid' },
    checks: settings.checks,
    setup: settings.setup,
    isolation: settings.isolation,
    limits: settings.limits,
  };
}

async function change(hall: Hall, decide: Change<ThreadId>['decide']): Promise<void> {
  const meta = { actor: 'hall', cause: 'errand' };
  await hall.leading()?.writer.change({ meta, decide });
}
