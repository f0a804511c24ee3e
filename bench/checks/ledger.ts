import type { HallEvent } from '../../src/domain/event.ts';

interface Known {
  readonly project: string;
  /** Tasks of one line have the same takers and are handed out in the order of their threads. */
  readonly line: string;
  readonly thread: number;
}

/**
 * Follows a log without any code of the product and records what must never be in it. It knows only the rules
 * that the workload of the bench needs.
 */
export class Ledger {
  readonly faults: string[] = [];
  claims = 0;
  completed = 0;
  readonly completedIn = new Map<string, number>();
  readonly #limits = new Map<string, number>();
  readonly #tasks = new Map<number, Known>();
  readonly #runs = new Map<number, { readonly task: number; readonly project: string }>();
  readonly #running = new Map<string, number>();
  readonly #lines = new Map<string, Line>();
  readonly #done = new Set<number>();
  #fence = -1;

  follow(event: HallEvent): void {
    switch (event.type) {
      case 'ProjectSet':
        this.#limits.set(event.project.name, event.project.settings.maxWorkers);
        return;
      case 'TaskPosted':
        this.#post(event);
        return;
      case 'TaskUnblocked':
        this.#line(event.task)?.put(this.#tasks.get(event.task)?.thread ?? 0);
        return;
      case 'RunClaimed':
        this.#claim(event.run);
        return;
      case 'RunEnded':
        this.#end(event.run, event.task.is);
        return;
      default:
        // The workload has no other events that change a task.
        return;
    }
  }

  #post({ task, opens }: Extract<HallEvent, { type: 'TaskPosted' }>): void {
    const labels = opens?.labels.join(' ') ?? '';
    const line = `${task.project} ${task.instance ?? ''} ${labels}`;
    this.#tasks.set(task.id, { project: task.project, line, thread: task.thread });
    if (task.state.is === 'available') this.#line(task.id)?.put(task.thread);
  }

  #claim({ id, task, fence }: { id: number; task: number; fence: number }): void {
    this.claims += 1;
    const known = this.#tasks.get(task);
    if (!known) return this.#fault(`run ${id} claims task ${task}, which was never posted`);
    if (this.#done.has(task)) this.#fault(`task ${task} was claimed after it had ended`);
    if (fence <= this.#fence) this.#fault(`fence ${fence} was issued after fence ${this.#fence}`);
    this.#fence = fence;
    const oldest = this.#line(task)?.take(known.thread);
    if (oldest !== known.thread) {
      this.#fault(`thread ${known.thread} was claimed while ${oldest} had waited for longer`);
    }
    const running = (this.#running.get(known.project) ?? 0) + 1;
    const limit = this.#limits.get(known.project) ?? 0;
    if (running > limit) this.#fault(`${known.project} ran ${running} of ${limit} workers`);
    this.#running.set(known.project, running);
    this.#runs.set(id, { task, project: known.project });
  }

  #end(id: number, became: string): void {
    const run = this.#runs.get(id);
    if (!run) return this.#fault(`run ${id} ended twice, or was never claimed`);
    this.#runs.delete(id);
    this.#running.set(run.project, (this.#running.get(run.project) ?? 0) - 1);
    if (became === 'available') {
      this.#line(run.task)?.put(this.#tasks.get(run.task)?.thread ?? 0);
      return;
    }
    if (this.#done.has(run.task)) this.#fault(`task ${run.task} ended twice`);
    this.#done.add(run.task);
    if (became !== 'completed') return;
    this.completed += 1;
    this.completedIn.set(run.project, (this.completedIn.get(run.project) ?? 0) + 1);
  }

  #line(task: number): Line | undefined {
    const name = this.#tasks.get(task)?.line;
    if (name === undefined) return undefined;
    const line = this.#lines.get(name) ?? new Line();
    this.#lines.set(name, line);
    return line;
  }

  #fault(text: string): void {
    if (this.faults.length < 10) this.faults.push(text);
  }
}

/** The waiting threads, oldest first: new ones are appended, and a few return to their old place. */
class Line {
  readonly #arrived: number[] = [];
  #head = 0;
  #returned: number[] = [];

  put(thread: number): void {
    if (thread > (this.#arrived.at(-1) ?? 0)) {
      this.#arrived.push(thread);
      return;
    }
    this.#returned.push(thread);
    this.#returned.sort((a, b) => a - b);
  }

  /** Removes a thread and returns the oldest one. */
  take(thread: number): number | undefined {
    const [back] = this.#returned;
    const front = this.#arrived[this.#head];
    const oldest = back !== undefined && (front === undefined || back < front) ? back : front;
    if (thread === front) this.#head += 1;
    else this.#returned = this.#returned.filter((each) => each !== thread);
    return oldest;
  }
}
