import {
  type Compiled,
  isWordCode,
  type Program,
  parseGlob,
  parseRegex,
} from './pattern-syntax.ts';

/**
 * Globs and regular expressions of rules, matched in time linear in the text.
 *
 * A crafted pattern or text can keep a backtracking matcher busy for hours. This one has no back
 * references and no look-around, and follows all paths at once.
 */
export interface Pattern {
  matches(text: string): boolean;
}

export const REGEX_MARK = 're:';
const MAX_SOURCE = 1_000;
const MAX_STATES = 500;

/** The error in a pattern, in words; undefined when the pattern is valid. */
export function patternFault(source: string): string | undefined {
  if (source.length > MAX_SOURCE) return `is longer than ${MAX_SOURCE} characters`;
  const compiled = parsed(source);
  return 'fault' in compiled ? compiled.fault : undefined;
}

/** `re:` starts a regular expression; anything else is a glob for the whole text. */
export function compile(source: string): Pattern {
  const compiled = parsed(source);
  return 'fault' in compiled ? NEVER : new Machine(compiled, beginningOf(source));
}

/** The prefix of every match. */
function beginningOf(source: string): string {
  if (!source.startsWith(REGEX_MARK)) return /^[^*?\\]*/.exec(source)?.[0] ?? '';
  return /^re:\^([\w /-]*)(?![*+?{|\w /-])(?!.*\|)/s.exec(source)?.[1] ?? '';
}

const NEVER: Pattern = { matches: () => false };

function parsed(source: string): Compiled {
  if (source.startsWith(REGEX_MARK)) return parseRegex(source.slice(REGEX_MARK.length));
  return parseGlob(source);
}

interface State {
  readonly places: readonly number[];
  readonly next: Map<number, State>;
  /** The same for the last character of a text, after which an end may match too. */
  readonly last: Map<number, State>;
  readonly done: boolean;
}

/** Follows all paths through a pattern at once, and caches the set of steps each character leads to. */
class Machine implements Pattern {
  readonly #program: Program;
  readonly #beginning: string;
  readonly #hasEdges: boolean;
  #states = new Map<string, State>();
  #first: State | undefined;

  constructor(program: Program, beginning: string) {
    this.#program = program;
    this.#beginning = beginning;
    this.#hasEdges = program.steps.some((step) => 'at' in step && step.at === 'word');
  }

  matches(text: string): boolean {
    if (!text.startsWith(this.#beginning) || !text.includes(this.#program.required)) return false;
    if (this.#hasEdges || text === '') return this.#slowly(text);
    this.#first ??= this.#stateOf(this.#closed([this.#program.first], text, 0));
    let state = this.#first;
    for (let at = 0; at < text.length; at += 1) {
      if (state.done) return true;
      if (state.places.length === 0) return false;
      const code = text.charCodeAt(at);
      const following = at === text.length - 1 ? state.last : state.next;
      const known = following.get(code);
      if (known) {
        state = known;
        continue;
      }
      const next = this.#stateOf(this.#closed(this.#after(state.places, code), text, at + 1));
      following.set(code, next);
      state = next;
    }
    return state.done;
  }

  /** A word boundary depends on both neighbors, so transitions cannot be cached. */
  #slowly(text: string): boolean {
    let places = this.#closed([this.#program.first], text, 0);
    for (let at = 0; ; at += 1) {
      if (this.#isDone(places)) return true;
      if (at >= text.length) return false;
      places = this.#closed(this.#after(places, text.charCodeAt(at)), text, at + 1);
    }
  }

  #after(places: readonly number[], code: number): readonly number[] {
    return places.flatMap((place) => {
      const step = this.#program.steps[place];
      return step && 'takes' in step && step.takes(code) ? [step.to] : [];
    });
  }

  /** All steps reachable without consuming a character. */
  #closed(from: readonly number[], text: string, at: number): readonly number[] {
    const visited = new Set<number>();
    const pending = [...from];
    for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
      if (visited.has(place)) continue;
      visited.add(place);
      const step = this.#program.steps[place];
      if (step && 'ways' in step) pending.push(...step.ways);
      else if (step && 'at' in step && stands(step.at, text, at)) pending.push(step.to);
    }
    return [...visited].sort((a, b) => a - b);
  }

  #stateOf(places: readonly number[]): State {
    const key = places.join(' ');
    const known = this.#states.get(key);
    if (known) return known;
    if (this.#states.size >= MAX_STATES) {
      this.#states = new Map();
      this.#first = undefined;
    }
    const state: State = {
      places,
      next: new Map(),
      last: new Map(),
      done: this.#isDone(places),
    };
    this.#states.set(key, state);
    return state;
  }

  #isDone(places: readonly number[]): boolean {
    return places.some((place) => 'done' in (this.#program.steps[place] ?? {}));
  }
}

function stands(where: 'start' | 'end' | 'word', text: string, at: number): boolean {
  if (where === 'start') return at === 0;
  if (where === 'end') return at === text.length;
  const before = at > 0 && isWordCode(text.charCodeAt(at - 1));
  const after = at < text.length && isWordCode(text.charCodeAt(at));
  return before !== after;
}
