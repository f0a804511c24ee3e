import type { Recorded } from '../domain/event.ts';
import type { Duration, RunId, ThreadId } from '../domain/ids.ts';
import {
  isSearchable,
  runWithBranch,
  SEARCHABLE_EVENTS,
  searchableLength,
  taskWithNewText,
  threadWithPullRequest,
} from '../domain/searchable-events.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import {
  LeadershipLost,
  type Store,
  StoreFailed,
  StoreFull,
  StoreUnavailable,
} from '../ports/store.ts';

interface Needs {
  readonly store: Pick<Store, 'events' | 'recall' | 'index' | 'indexedTo'>;
  readonly clock: Clock;
  readonly log: Log;
  /** The end of the log when the indexer starts. */
  readonly end: number;
  /** How often the hall runs its chores. */
  readonly tick: Duration;
}

/** How far searches see. */
interface SearchReach {
  readonly indexedTo: number;
  readonly logEnd: number;
}

/** In ticks. A task can be found this long after its commit, if the hall has little else to do. */
const SOON = 0.1;

/** How often the place is stored while nothing changes that a search could find. */
const LATER = 5;
const RETRY = 5;

/** What one write takes: about 5 ms with SQLite, in which the hall answers nothing. */
const MAX_EVENTS = 32;
const MAX_CHARACTERS = 65_536;

/** While the hall commits changes, the index gets a fiftieth of its time; otherwise half of it. */
const PAUSE_WHEN_BUSY = 49;
const PAUSE_WHEN_IDLE = 1;

/**
 * Keeps the search index up with the log, after the commits and never in one. All it knows is in the
 * store: after a crash it continues at the event that the index reaches.
 */
export class SearchIndexer {
  readonly #needs: Needs;
  #end: number;
  /** The event stored with the index; undefined until it is read. */
  #mark: number | undefined;
  /** Nothing up to here is missing in the index. Later than the mark if nothing searchable happened since. */
  #covered = 0;
  /** Since the last step. */
  #commits = 0;
  #timer: { cancel(): void } | undefined;
  #due: Duration = 0;
  #work: Promise<void> | undefined;
  #isStopped = false;

  constructor(needs: Needs) {
    this.#needs = needs;
    this.#end = needs.end;
    this.#wake(0);
  }

  get reach(): SearchReach {
    return { indexedTo: this.#covered, logEnd: this.#end };
  }

  /** Call it with the events of each commit. */
  committed(events: readonly Recorded[]): void {
    const last = events.at(-1);
    if (!last) return;
    this.#commits += 1;
    const isCovered = this.#mark !== undefined && this.#covered === this.#end;
    this.#end = last.seq;
    // Otherwise the next step is planned already.
    if (!isCovered) return;
    const isNew = events.some(({ event }) => isSearchable(event));
    if (!isNew) this.#covered = last.seq;
    this.#wake((isNew ? SOON : LATER) * this.#needs.tick);
  }

  /** Waits for the write in progress. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#timer?.cancel();
    await this.#work;
  }

  #wake(delay: Duration): void {
    const { clock } = this.#needs;
    const due = clock.monotonic() + delay;
    if (this.#isStopped || this.#work || (this.#timer && this.#due <= due)) return;
    this.#timer?.cancel();
    this.#due = due;
    this.#timer = clock.after(delay, () => {
      this.#timer = undefined;
      this.#work = this.#advance();
    });
  }

  /** Takes one step and plans the next. */
  async #advance(): Promise<void> {
    const { clock, tick } = this.#needs;
    const began = clock.monotonic();
    const isDone = await this.#step().then(
      () => true,
      (fault: Error) => this.#failed(fault),
    );
    this.#work = undefined;
    const share = this.#commits > 0 ? PAUSE_WHEN_BUSY : PAUSE_WHEN_IDLE;
    this.#commits = 0;
    if (!isDone) this.#wake(RETRY * tick);
    else if (this.#covered < this.#end) {
      this.#wake(Math.min((clock.monotonic() - began) * share, LATER * tick));
    } else if (this.#mark !== this.#end) this.#wake(LATER * tick);
  }

  async #step(): Promise<void> {
    const { store } = this.#needs;
    const end = this.#end;
    if (this.#mark === undefined) {
      this.#mark = await store.indexedTo();
      // An index that is ahead of the log is of another history.
      this.#covered = this.#mark > end ? 0 : this.#mark;
    }
    const from = this.#mark;
    const { to, ...changed } =
      this.#covered < end ? await this.#changedAfter(this.#covered, end) : { ...NOTHING, to: end };
    if (to === from || this.#isStopped) return;
    const isWritten = await store.index({ from, to, ...changed });
    this.#mark = isWritten ? to : undefined;
    if (isWritten) this.#covered = Math.max(this.#covered, to);
  }

  async #changedAfter(after: number, end: number) {
    const { store } = this.#needs;
    const query = { after, before: end + 1, types: SEARCHABLE_EVENTS, limit: MAX_EVENTS };
    const page = await store.events(query);
    const rows = withinLimit(page.rows);
    const isCut = rows.length < page.rows.length;
    const to = (isCut ? rows.at(-1)?.seq : page.next) ?? end;
    const runs = rows.flatMap(({ event }) => runWithBranch(event) ?? []);
    const tasks = rows.flatMap(({ event }) => taskWithNewText(event) ?? []);
    const threads = rows.flatMap(({ event }) => threadWithPullRequest(event) ?? []);
    return { to, tasks, threads: [...threads, ...(await this.#threadsOf(runs))] };
  }

  async #threadsOf(runs: readonly RunId[]): Promise<readonly ThreadId[]> {
    if (runs.length === 0) return [];
    const { runs: recalled } = await this.#needs.store.recall({ runs });
    return [...recalled.values()].map(({ thread }) => thread);
  }

  #failed(fault: Error): false {
    const isKnown =
      fault instanceof StoreFull ||
      fault instanceof StoreFailed ||
      fault instanceof StoreUnavailable ||
      fault instanceof LeadershipLost;
    if (!isKnown) this.#needs.log.error('search index not updated', { fault: fault.message });
    return false;
  }
}

const NOTHING = { tasks: [], threads: [] } as const;

/** As many events as one write takes; one at least. */
function withinLimit(events: readonly Recorded[]): readonly Recorded[] {
  let characters = 0;
  const first = events.findIndex(({ event }) => {
    characters += searchableLength(event);
    return characters > MAX_CHARACTERS;
  });
  return first === -1 ? events : events.slice(0, Math.max(1, first));
}
