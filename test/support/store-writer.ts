import type { HallEvent, Recorded } from '../../src/domain/event.ts';
import { evolve } from '../../src/domain/evolve.ts';
import type { RunId } from '../../src/domain/ids.ts';
import { mergeRows, type Row } from '../../src/domain/row.ts';
import type { Worker } from '../../src/domain/worker.ts';
import { type Group, type Head, NO_HEAD, type Store } from '../../src/ports/store.ts';
import { BoardFixture } from './board-fixture.ts';

/** Records the events of a board, group by group, like the one writer of a store. */
export class StoreWriter {
  readonly table = new Recorder();
  epoch: number;
  head: Head = NO_HEAD;

  constructor(epoch = 0) {
    this.epoch = epoch;
  }

  /** The events since the last group. */
  group(more: Partial<Pick<Group, 'responses' | 'log' | 'decisions' | 'heartbeats'>> = {}): Group {
    const { events, rows } = this.table.take();
    const nothing = { responses: [], log: [], decisions: [], heartbeats: [], secrets: [] };
    return { after: this.head, epoch: this.epoch, events, rows, ...nothing, ...more };
  }

  async write(store: Pick<Store, 'append'>, group = this.group()): Promise<Head> {
    this.head = await store.append(group);
    return this.head;
  }

  /** A hall with one project and its usual types. */
  settle(): this {
    this.table.project('shop');
    for (const type of ['boss', 'dev', 'reviewer']) {
      this.table.type(type).instance(`${type}-default`, type);
    }
    return this;
  }

  post(count: number): this {
    for (let n = 0; n < count; n += 1) this.table.post({ title: `task ${n}` });
    return this;
  }

  /** As many tasks claimed and completed as there are workers. */
  work(workers: readonly Worker[]): RunId[] {
    const claims = workers.map((worker) => this.table.claim(worker));
    for (const claimed of claims) this.table.report(claimed);
    return claims.map(({ run }) => run);
  }

  workers(count: number): Worker[] {
    return Array.from({ length: count }, () => this.table.worker());
  }
}

class Recorder extends BoardFixture {
  #recorded: Recorded[] = [];
  #rows: Row[] = [];

  override apply(...events: readonly HallEvent[]): this {
    for (const event of events) {
      const seq = this.board.seq + 1;
      const recorded = { seq, at: this.at, actor: this.actor, cause: 'test', event };
      this.#rows.push(...evolve(this.board, recorded));
      this.#recorded.push(recorded);
    }
    for (const [id, task] of this.board.closing.tasks) this.closed.set(id, task);
    return this;
  }

  take(): { readonly events: readonly Recorded[]; readonly rows: readonly Row[] } {
    const taken = { events: this.#recorded, rows: mergeRows(this.#rows) };
    this.#recorded = [];
    this.#rows = [];
    this.board.commit();
    return taken;
  }
}
