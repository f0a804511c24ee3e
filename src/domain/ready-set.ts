import type { TaskId, ThreadId } from './ids.ts';
import type { Journal } from './journaled-map.ts';
import { OrderedPairs } from './ordered-pairs.ts';

/** What determines who may take a task: tasks of a project with the same route have the same takers. */
export interface Route {
  readonly project: string;
  readonly type: string;
  readonly instance: string | null;
  /** The thread's labels that some instance of the type requests, sorted. */
  readonly labels: readonly string[];
  readonly labelWaitExpired: boolean;
}

export interface Bucket {
  readonly route: Route;
  readonly waiting: OrderedPairs;
}

/**
 * The tasks that could start now if an eligible worker asked, by project and route, in order of
 * arrival. A claim reads only the first of each bucket, however many tasks wait or are blocked.
 */
export class ReadySet {
  readonly #journal: Journal;
  readonly #projects = new Map<string, Map<string, Bucket>>();
  #count = 0;
  #most = MAX_BUCKETS;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  add(route: Route, thread: ThreadId, task: TaskId): void {
    const { waiting } = this.#bucket(route);
    if (waiting.add(thread, task)) this.#journal.note(() => waiting.remove(thread, task));
  }

  remove(route: Route, thread: ThreadId, task: TaskId): void {
    const { waiting } = this.#bucket(route);
    if (waiting.remove(thread, task)) this.#journal.note(() => waiting.add(thread, task));
  }

  bucketsOf(project: string): MapIterator<Bucket> {
    return (this.#projects.get(project) ?? NO_BUCKETS).values();
  }

  *all(): Generator<readonly [Route, ThreadId, TaskId]> {
    for (const buckets of this.#projects.values()) {
      for (const { route, waiting } of buckets.values()) {
        for (const [thread, task] of waiting) yield [route, thread as ThreadId, task as TaskId];
      }
    }
  }

  /**
   * Routes come and go with labels and projects, and a claim reads every bucket of a project. Once
   * there are many, this removes the empty ones, at a commit because nothing can be undone then. A
   * bucket that soon fills again keeps the cached takers of its route.
   */
  commit(): void {
    if (this.#count < this.#most) return;
    for (const [project, buckets] of this.#projects) {
      for (const [key, { waiting }] of buckets) if (waiting.size === 0) buckets.delete(key);
      if (buckets.size === 0) this.#projects.delete(project);
    }
    this.#count = [...this.#projects.values()].reduce((sum, { size }) => sum + size, 0);
    this.#most = Math.max(MAX_BUCKETS, 2 * this.#count);
  }

  /** The number of buckets, including empty ones. */
  get size(): number {
    return this.#count;
  }

  #bucket(route: Route): Bucket {
    let buckets = this.#projects.get(route.project);
    if (!buckets) {
      buckets = new Map();
      this.#projects.set(route.project, buckets);
    }
    const key = keyOf(route);
    let bucket = buckets.get(key);
    if (!bucket) {
      bucket = { route, waiting: new OrderedPairs() };
      buckets.set(key, bucket);
      this.#count += 1;
    }
    return bucket;
  }
}

const MAX_BUCKETS = 256;

const NO_BUCKETS: ReadonlyMap<string, Bucket> = new Map();

function keyOf({ type, instance, labels, labelWaitExpired }: Route): string {
  return `${type}\n${instance ?? ''}\n${labelWaitExpired ? 'labelWaitExpired' : ''}\n${labels.join('\n')}`;
}
