import type { TaskId, ThreadId, WorkerId } from '../../domain/ids.ts';
import { mergeRow, type Row, type Table } from '../../domain/row.ts';
import type { Heartbeat } from '../../ports/store.ts';
import type { RowWithCells } from './put-row.ts';

/** With more rows than this, they are written with the next group: about three milliseconds of work. */
const MOST = 1_024;

/** Heartbeats are in no event, so a crash loses those not yet written: at most this many milliseconds. */
const LONGEST = 1_000;

/**
 * Rows and heartbeats of groups that are in the log but not yet in the tables.
 *
 * Otherwise a row that changes with every group would be written with every group. A claim with the end
 * of the claim before it touched ten pages; its events alone touch two.
 */
export class PendingRows {
  readonly #rows = new Map<Table, Map<Row['key'], RowWithCells>>();
  readonly #heartbeats = new Map<WorkerId, Heartbeat>();
  /** The threads with a note or an ended run among the rows. */
  readonly #worked = new Set<ThreadId>();
  #size = 0;
  #since = 0;

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  isDue(now: number): boolean {
    return this.#size >= MOST || (this.#size > 0 && now - this.#since >= LONGEST);
  }

  add(rows: readonly RowWithCells[], heartbeats: readonly Heartbeat[], now: number): void {
    if (this.#size === 0) this.#since = now;
    for (const placed of rows) this.#add(placed);
    for (const heartbeat of heartbeats) this.#heartbeats.set(heartbeat.worker, heartbeat);
    this.#size += rows.length + heartbeats.length;
  }

  task(id: TaskId): Extract<Row, { table: 'task' }> | undefined {
    const row = this.#rows.get('task')?.get(id)?.row;
    return row?.table === 'task' ? row : undefined;
  }

  /** True if the tables lack a note of the thread or the end of one of its runs. */
  hasWorkOf(thread: ThreadId): boolean {
    return this.#worked.has(thread);
  }

  /** Table by table, so that neighbours in a page are written together. */
  *rows(): Generator<RowWithCells> {
    for (const rows of this.#rows.values()) yield* rows.values();
  }

  heartbeats(): Iterable<Heartbeat> {
    return this.#heartbeats.values();
  }

  copy(): PendingRows {
    const copy = new PendingRows();
    for (const [table, rows] of this.#rows) copy.#rows.set(table, new Map(rows));
    for (const [worker, heartbeat] of this.#heartbeats) copy.#heartbeats.set(worker, heartbeat);
    for (const thread of this.#worked) copy.#worked.add(thread);
    copy.#size = this.#size;
    copy.#since = this.#since;
    return copy;
  }

  clear(): void {
    for (const rows of this.#rows.values()) rows.clear();
    this.#heartbeats.clear();
    this.#worked.clear();
    this.#size = 0;
  }

  #add({ row, cells }: RowWithCells): void {
    const rows = this.#rows.get(row.table) ?? new Map<Row['key'], RowWithCells>();
    this.#rows.set(row.table, rows);
    if (row.table === 'note' || (row.table === 'run' && row.row.ending !== null)) {
      this.#worked.add(row.row.thread);
    }
    rows.set(row.key, { row: mergeRow(rows.get(row.key)?.row, row), cells });
  }
}
