import {
  type Doubt,
  type DoubtKind,
  MAX_NESTING,
  MAX_PARTS,
  type ParsedCommand,
  type Part,
} from '../../domain/parsed-command.ts';

/** The command is too large for a person to review. */
export class TooComplex extends Error {
  override readonly name = 'TooComplex';
}

/** The surroundings of the text being read. */
export interface ScriptContext {
  readonly within: readonly string[];
  readonly folders: readonly string[] | null;
}

/** Records what a reading finds. */
export class ParsedCommandBuilder {
  readonly #parts: Part[] = [];
  readonly #doubts = new Map<string, Doubt>();

  addPart(part: Part): void {
    this.#parts.push(part);
    if (this.#parts.length > MAX_PARTS) {
      throw new TooComplex(`it has more than ${MAX_PARTS} commands`);
    }
    if (part.within.length > MAX_NESTING) {
      throw new TooComplex(`it is nested more than ${MAX_NESTING} levels deep`);
    }
  }

  addDoubt(kind: DoubtKind, text: string): void {
    const piece = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
    if (this.#doubts.size < MAX_DOUBTS) this.#doubts.set(`${kind} ${piece}`, { kind, text: piece });
  }

  build(): ParsedCommand {
    return {
      parts: this.#parts,
      doubts: [...this.#doubts.values()],
      excess: null,
      fault: null,
    };
  }
}

const MAX_SHOWN = 120;
const MAX_DOUBTS = 20;
