import type { Board } from '../domain/board.ts';
import type { ClosedWork } from '../domain/closed-work.ts';
import type { Decision, Now } from '../domain/decision.ts';
import type { Refusal } from '../domain/refusal.ts';
import type { Keys, LogEntry, StoredResponse, ToolDecision } from '../ports/store.ts';

/** Who requested a change, and through what. Every resulting event carries both. */
export interface Meta {
  readonly actor: string;
  readonly cause: string;
}

export type Decide<A> = (board: Board, now: Now, recalled: ClosedWork) => Decision<A>;

/** Makes a request safe to repeat: the first answer is stored with the change and replayed. */
export interface Idempotency<A> {
  readonly key: string;
  /** A hash of the request, to detect a key that is reused for a different one. */
  readonly request: string;
  readonly render: (answer: A) => { readonly status: number; readonly body: string };
}

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
  /** Commits even if nothing changed, which stores heartbeats in quiet times too. */
  readonly flush?: true;
}

/** The answer to an earlier request with the same key. */
export interface Replayed {
  readonly replayed: StoredResponse;
}

export function isReplayed(answer: unknown): answer is Replayed {
  return typeof answer === 'object' && answer !== null && 'replayed' in answer;
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
