import type { Board } from '../domain/board.ts';
import type { ClosedWork } from '../domain/closed-work.ts';
import type { Now } from '../domain/decision.ts';
import type { HallEvent, Recorded } from '../domain/event.ts';
import { evolve } from '../domain/evolve.ts';
import type { Instant, TaskId, ThreadId } from '../domain/ids.ts';
import { isRefusal } from '../domain/refusal.ts';
import { mergeRows, type Row } from '../domain/row.ts';
import type {
  Head,
  Heartbeat,
  LogEntry,
  Recalled,
  SecretChange,
  Group as StoredGroup,
  StoredResponse,
  ToolDecision,
} from '../ports/store.ts';
import type { Command, Meta, Outcome } from './command.ts';
import { replayOrRefuse } from './replay-response.ts';

/**
 * The changes that share one commit. The hall decides them one after another on the same memory and
 * answers none before all of them are on disk.
 */
export class Group {
  readonly #board: Board;
  readonly #recalled: Recalled;
  readonly #at: Instant;
  readonly #steady: Instant;
  readonly #events: Recorded[] = [];
  readonly #rows: Row[] = [];
  readonly #answers = new Map<string, StoredResponse>();
  readonly #log: LogEntry[] = [];
  readonly #decisions: ToolDecision[] = [];
  readonly #secrets = new Map<string, SecretChange>();
  #flush = false;
  readonly #outcomes: { readonly command: Command; readonly outcome: Outcome<unknown> }[] = [];

  constructor(
    board: Board,
    recalled: Recalled,
    { at, steady }: { readonly at: Instant; readonly steady: Instant },
  ) {
    this.#board = board;
    this.#recalled = recalled;
    this.#at = at;
    this.#steady = steady;
  }

  get events(): readonly Recorded[] {
    return this.#events;
  }

  get isEmpty(): boolean {
    if (this.#events.length > 0 || this.#flush) return false;
    return this.#answers.size + this.#log.length + this.#decisions.length === 0;
  }

  decide(command: Command): void {
    const outcome = this.#outcome(command);
    this.#outcomes.push({ command, outcome });
    const next = command.follow?.(outcome);
    if (next) this.decide(next);
  }

  /** Applies events that no request asked for, such as a task handed to a waiting worker. */
  apply(events: readonly HallEvent[], meta: Meta): void {
    for (const event of events) {
      const recorded = { seq: this.#board.seq + 1, at: this.#at, ...meta, event };
      // One at a time: a call takes some 120,000 arguments, and that many threads may wait for one.
      for (const row of evolve(this.#board, recorded)) this.#rows.push(row);
      this.#events.push(recorded);
    }
  }

  stored(after: Head, epoch: number, savedHeartbeats: readonly Heartbeat[]): StoredGroup {
    return {
      after,
      epoch,
      events: this.#events,
      rows: mergeRows(this.#rows),
      responses: [...this.#answers.values()],
      log: this.#log,
      decisions: this.#decisions,
      heartbeats: savedHeartbeats,
      secrets: [...this.#secrets.values()],
    };
  }

  settle(): void {
    for (const { command, outcome } of this.#outcomes) command.settle(outcome);
  }

  #outcome({ change }: Command): Outcome<unknown> {
    const { idempotency: once, meta } = change;
    const before = once && (this.#answers.get(once.key) ?? this.#recalled.responses.get(once.key));
    if (once && before) return replayOrRefuse(once, before);
    const now: Now = { at: this.#at, actor: meta.actor };
    const { events, answer } = change.decide(this.#board, now, this.#recollection());
    if (isRefusal(answer)) return answer;
    this.apply(events, meta);
    if (change.log) this.#log.push(...change.log);
    if (change.decided) this.#decisions.push(...change.decided(answer, now));
    for (const secret of change.secrets ?? []) this.#secrets.set(secret.name, secret);
    if (change.flush) this.#flush = true;
    if (once) {
      const { key, request } = once;
      this.#answers.set(key, { key, request, at: this.#steady, ...once.render(answer) });
    }
    return answer;
  }

  /** Work that closed earlier in this group is not in the store yet. */
  #recollection(): ClosedWork {
    const { closing } = this.#board;
    return {
      task: (id: TaskId) => closing.tasks.get(id) ?? this.#recalled.tasks.get(id),
      thread: (id: ThreadId) => closing.threads.get(id) ?? this.#recalled.threads.get(id),
    };
  }
}
