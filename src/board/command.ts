import type { Board } from '../domain/board.ts';
import type { ClosedWork } from '../domain/closed-work.ts';
import type { Decision, Now } from '../domain/decision.ts';
import type { Refusal } from '../domain/refusal.ts';
import type { Keys, LogEntry, SecretChange, ToolDecision } from '../ports/store.ts';
import type { Idempotency, Replayed } from './replay-response.ts';

/** Who requested a change, and through what. Every resulting event carries both. */
export interface Meta {
  readonly actor: string;
  readonly cause: string;
}

export type Decide<A> = (board: Board, now: Now, recalled: ClosedWork) => Decision<A>;

export interface Change<A> {
  readonly meta: Meta;
  readonly decide: Decide<A>;
  /** The closed work that the decision needs. */
  readonly keys?: Keys;
  readonly idempotency?: Idempotency<A> | undefined;
  /** Transcript entries to store if the change is made. */
  readonly log?: readonly LogEntry[];
  /** The tool decisions to store with the change. */
  readonly decided?: (answer: A, now: Now) => readonly ToolDecision[];
  /** Encrypted values to store if the change is made. */
  readonly secrets?: readonly SecretChange[];
  /** Commits even if nothing changed, which stores heartbeats in quiet times too. */
  readonly flush?: true;
}

export type Outcome<A> = A | Refusal | Replayed;

/** A change on its way through a group. */
export interface Command {
  readonly change: Change<unknown>;
  readonly settle: (outcome: Outcome<unknown>) => void;
  readonly fail: (fault: Error) => void;
  /** Sees the outcome while the group is still open, and may add another command to it. */
  readonly follow?: (outcome: Outcome<unknown>) => Command | undefined;
}
