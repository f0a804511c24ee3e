import type { Board } from '../domain/board.ts';
import type { ClosedWork } from '../domain/closed-work.ts';
import type { Decision, Now } from '../domain/decision.ts';
import type { Refusal } from '../domain/refusal.ts';
import type { Keys, LogEntry, StoredResponse, ToolDecision } from '../ports/store.ts';

/** Who asks for a change, and by what. Both stand in every event that follows from it. */
export interface Meta {
  readonly actor: string;
  readonly cause: string;
}

export type Decide<A> = (board: Board, now: Now, recalled: ClosedWork) => Decision<A>;

/** Makes a request safe to repeat: the first answer is stored with the change and given again. */
export interface Idempotency<A> {
  readonly key: string;
  /** A hash of what was asked, so that a key used for something else is noticed. */
  readonly request: string;
  readonly render: (answer: A) => { readonly status: number; readonly body: string };
}

export interface Change<A> {
  readonly meta: Meta;
  readonly decide: Decide<A>;
  /** What the decision looks at beside the open work. */
  readonly keys?: Keys;
  readonly idempotency?: Idempotency<A> | undefined;
  /** Pieces of a transcript to keep if the change is made. */
  readonly log?: readonly LogEntry[];
  /** What was decided about a call of a tool, to keep with the change. */
  readonly decided?: (answer: A, now: Now) => readonly ToolDecision[];
  /** Commits even if nothing changed, so that heartbeats are stored in quiet times too. */
  readonly flush?: true;
}

/** The answer an earlier request with the same key was given. */
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
  /** Looks at the outcome while the group is still open, and may join more commands to it. */
  readonly follow?: (outcome: Outcome<unknown>) => Command | undefined;
}
