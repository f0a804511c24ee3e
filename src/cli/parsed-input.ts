import type { Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { InvalidUsage } from './invalid-usage.ts';

/** What was typed after the name of a command. */
export class ParsedInput {
  readonly #arguments: readonly unknown[];
  readonly #options: Readonly<Record<string, unknown>>;

  readonly #stdin: () => Readable;

  constructor(
    args: readonly unknown[],
    options: Readonly<Record<string, unknown>>,
    stdin: () => Readable,
  ) {
    this.#arguments = args;
    this.#options = options;
    this.#stdin = stdin;
  }

  /** The n-th argument, which the command's usage promises. */
  argument(at: number): string {
    const value = this.#arguments[at];
    if (typeof value !== 'string') throw new InvalidUsage(`argument ${at + 1} is missing`);
    return value;
  }

  /** The n-th argument, where it may be left out. */
  maybe(at: number): string | undefined {
    const value = this.#arguments[at];
    return typeof value === 'string' ? value : undefined;
  }

  /** All words from the n-th argument on. */
  rest(at: number): readonly string[] {
    const value = this.#arguments[at];
    return Array.isArray(value) ? value.map(String) : [];
  }

  /** The same without some options, which a command uses for something else than most. */
  without(...names: readonly string[]): ParsedInput {
    const options = Object.entries(this.#options).filter(([name]) => !names.includes(name));
    return new ParsedInput(this.#arguments, Object.fromEntries(options), this.#stdin);
  }

  text(name: string): string | undefined {
    const value = this.#options[name];
    return typeof value === 'string' ? value : undefined;
  }

  /** The text of an option; `-` reads standard input. */
  async textOrInput(name: string): Promise<string | undefined> {
    const text = this.text(name);
    return text === '-' ? textOf(this.#stdin()) : text;
  }

  flag(name: string): boolean {
    return this.#options[name] === true;
  }

  /** True, false, or undefined when neither `--name` nor `--no-name` was typed. */
  choice(name: string): boolean | undefined {
    const value = this.#options[name];
    return typeof value === 'boolean' ? value : undefined;
  }

  /** The values of an option that may be repeated; undefined when it was not typed. */
  list(name: string): readonly string[] | undefined {
    const value = this.#options[name];
    return Array.isArray(value) ? value.map(String) : undefined;
  }

  /** A sum of money. */
  amount(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    if (!/^\d+(\.\d{1,2})?$/.test(text)) {
      throw new InvalidUsage(`--${dashed(name)} must be an amount such as 2.50`);
    }
    return Number(text);
  }

  number(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    if (!/^\d+$/.test(text))
      throw new InvalidUsage(`--${dashed(name)} must be a whole number, 0 or more`);
    return Number(text);
  }
}

function dashed(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Drops undefined fields, so the hall's own defaults apply. */
export function parseInput<T extends object>(
  fields: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
