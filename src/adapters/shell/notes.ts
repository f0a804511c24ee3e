import {
  type Doubt,
  type DoubtKind,
  MOST_NESTING,
  MOST_PARTS,
  type Part,
  type Reading,
} from '../../domain/shell-reading.ts';

/** The command is larger than anybody would look through. */
export class Excess extends Error {
  override readonly name = 'Excess';
}

/** Where something stands that is being read. */
export interface Place {
  readonly within: readonly string[];
  readonly folders: readonly string[] | null;
}

/** Takes down what a reading finds. */
export class Notes {
  readonly #parts: Part[] = [];
  readonly #doubts = new Map<string, Doubt>();

  part(part: Part): void {
    this.#parts.push(part);
    if (this.#parts.length > MOST_PARTS) {
      throw new Excess(`it has more than ${MOST_PARTS} commands in it`);
    }
    if (part.within.length > MOST_NESTING) {
      throw new Excess(`it is nested more than ${MOST_NESTING} deep`);
    }
  }

  doubt(kind: DoubtKind, text: string): void {
    const piece = text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
    if (this.#doubts.size < MOST_DOUBTS)
      this.#doubts.set(`${kind} ${piece}`, { kind, text: piece });
  }

  reading(): Reading {
    return {
      parts: this.#parts,
      doubts: [...this.#doubts.values()],
      excess: null,
      fault: null,
    };
  }
}

const MOST_SHOWN = 120;
const MOST_DOUBTS = 20;
