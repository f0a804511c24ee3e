import type { ServerResponse } from 'node:http';
import type { Hall } from '../board/hall.ts';
import type { TaskId } from '../domain/ids.ts';
import type { EventQuery } from '../ports/store.ts';
import { type Batch, type EventHub, message, type RenderedEvent } from './event-hub.ts';
import { waitForDrain } from './wait-for-drain.ts';

export interface Filter {
  readonly project: string | undefined;
  readonly task: TaskId | undefined;
}

interface Streaming {
  readonly hall: Hall;
  readonly hub: EventHub;
  readonly response: ServerResponse;
  /** The last event the reader has; undefined to start with the next one. */
  readonly after: number | undefined;
  readonly filter: Filter;
  /** Checked before each write: false when the caller has lost access to the stream. */
  readonly isAllowed: () => boolean;
}

const HEARTBEAT = 15_000;
const PAGE = 500;

/** A reader this far behind is dropped; it reconnects with the id of the last event it got. */
const MAX_BEHIND = 1024 * 1024;

/**
 * Sends a reader the events since the last one it has, from the store, and then live events from
 * the hub. While it reads from the store it ignores the hub; it switches over at the moment the
 * store has delivered everything the hub has.
 */
export class EventStream {
  readonly #needs: Streaming;
  readonly #listening: { stop(): void };
  #heartbeat: { cancel(): void };
  #last: number;
  #live = false;
  #reading = true;
  #stuck = 0;
  #ended = false;

  constructor(needs: Streaming) {
    const { hub, response, after } = needs;
    this.#needs = needs;
    this.#last = after ?? hub.seq;
    this.#listening = hub.listen((batch) => this.#onBatch(batch));
    this.#heartbeat = this.#nextHeartbeat();
    response.once('close', () => this.end());
    this.#begin().catch(() => this.#drop());
  }

  /**
   * After a restore, readers return with ids from a log that no longer exists and would get nothing
   * until the new log passes them. This does not apply to a node that merely lags behind the log.
   */
  async #begin(): Promise<void> {
    const { hall, hub, response } = this.#needs;
    const known = this.#last;
    const isBeyond = known > hub.seq && known > (await hall.store.head()).seq;
    if (this.#ended) return;
    if (isBeyond) {
      this.#last = hub.seq;
      response.write(`: the log ends before event ${known}; only new events follow\n`);
    }
    response.write(`retry: 2000\nid: ${this.#last}\n\n`);
    await this.#readPast();
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#listening.stop();
    this.#heartbeat.cancel();
    this.#needs.response.end();
  }

  #drop(): void {
    this.end();
    this.#needs.response.destroy();
  }

  #onBatch({ events: rendered, bytes }: Batch): void {
    if (this.#ended) return;
    if (!this.#needs.isAllowed()) return this.end();
    if (!this.#live) return this.#catchUp();
    if (this.#filters && rendered.some(({ subject }) => subject === undefined)) {
      this.#live = false;
      return this.#catchUp();
    }
    const fresh = rendered.filter(({ seq, subject }) => seq > this.#last && this.#matches(subject));
    this.#last = Math.max(this.#last, rendered.at(-1)?.seq ?? 0);
    if (fresh.length === rendered.length) return this.#write(bytes);
    if (fresh.length > 0) this.#write(Buffer.concat(fresh.map((each) => each.bytes)));
  }

  get #filters(): boolean {
    const { project, task } = this.#needs.filter;
    return project !== undefined || task !== undefined;
  }

  #matches(subject: RenderedEvent['subject']): boolean {
    const { project, task } = this.#needs.filter;
    if (project !== undefined && subject?.project !== project) return false;
    return task === undefined || subject?.task === task;
  }

  #write(bytes: Buffer | string): void {
    const { response } = this.#needs;
    response.write(bytes);
    if (response.writableLength > MAX_BEHIND) this.#drop();
  }

  #catchUp(): void {
    if (this.#reading) return;
    this.#reading = true;
    this.#readPast().catch(() => this.#drop());
  }

  async #readPast(): Promise<void> {
    const { hall, hub, filter, isAllowed } = this.#needs;
    while (!this.#ended) {
      const until = hub.seq;
      if (this.#last >= until) {
        this.#live = true;
        this.#reading = false;
        return;
      }
      const { rows, next } = await hall.store.events(query(filter, this.#last, until));
      if (this.#ended) return;
      if (!isAllowed()) return this.end();
      this.#last = next ?? until;
      if (rows.length > 0) this.#write(rows.map(message).join(''));
      // Read the past no faster than the reader consumes it.
      await waitForDrain(this.#needs.response);
    }
  }

  #nextHeartbeat(): { cancel(): void } {
    return this.#needs.hall.clock.after(HEARTBEAT, () => this.#sendHeartbeat());
  }

  #sendHeartbeat(): void {
    const { response, isAllowed } = this.#needs;
    if (!isAllowed()) return this.end();
    this.#stuck = response.writableNeedDrain ? this.#stuck + 1 : 0;
    if (this.#stuck > 2) return this.#drop();
    this.#write(':\n\n');
    if (!this.#ended) this.#heartbeat = this.#nextHeartbeat();
  }
}

function query({ project, task }: Filter, after: number, until: number): EventQuery {
  return {
    after,
    before: until + 1,
    limit: PAGE,
    ...(project !== undefined && { project }),
    ...(task !== undefined && { task }),
  };
}
