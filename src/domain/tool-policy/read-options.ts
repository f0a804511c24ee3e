import { type Arg, sliced } from '../parsed-command.ts';
import { type Option, optionsOf, syntaxOf, type Table } from './option-table.ts';

/** An option of a call, as its program would read it. */
export interface GivenOption {
  /** As written, without its value. */
  readonly word: string;
  /** Null when the table does not list it. */
  readonly option: Option | null;
  readonly value: Arg | null;
}

export interface ReadCall {
  readonly given: readonly GivenOption[];
  readonly operands: readonly Arg[];
  /** Words that may expand to an option. */
  readonly unclear: readonly Arg[];
  /** The position of the first operand in the words that were read. */
  readonly firstOperand: number;
}

/**
 * Splits the words of a call into options, their values and operands, in the program's own way. With
 * `leading` the options end at the first operand.
 */
export function readOptions(table: Table, argv: readonly Arg[], extent?: 'leading'): ReadCall {
  return new OptionReader(table, argv, extent).read();
}

class OptionReader {
  readonly #given: GivenOption[] = [];
  readonly #operands: Arg[] = [];
  readonly #unclear: Arg[] = [];
  readonly #options: ReadonlyMap<string, Option>;
  readonly #syntax: ReturnType<typeof syntaxOf>;
  readonly #ends: ReadonlySet<string>;
  readonly #argv: readonly Arg[];
  readonly #isLeading: boolean;
  /** What the table says of options that it does not list. */
  readonly #anyOption: Option | null;
  #at = 0;
  #hasEnded = false;
  #firstOperand = -1;

  constructor(table: Table, argv: readonly Arg[], extent?: 'leading') {
    this.#options = optionsOf(table);
    this.#syntax = syntaxOf(table);
    this.#ends = new Set(table.ends?.split(' '));
    this.#argv = argv;
    const any = this.#options.get('-');
    this.#anyOption = any?.arity === 'rest' ? any : null;
    this.#isLeading = extent === 'leading' || !this.#syntax.permutes;
  }

  read(): ReadCall {
    for (; this.#at < this.#argv.length; this.#at += 1) this.#readWord(this.#argv[this.#at] as Arg);
    return {
      given: this.#given,
      operands: this.#operands,
      unclear: this.#unclear,
      firstOperand: this.#firstOperand,
    };
  }

  #readWord(arg: Arg): void {
    if (this.#hasEnded || this.#syntax.isOperandsOnly) return this.#addOperand(arg);
    if (mayBeOption(arg)) {
      this.#unclear.push(arg);
      return this.#addOperand(arg);
    }
    if (this.#syntax.oldStyle && this.#at === 0 && /^[A-Za-z]+$/.test(arg.text))
      return this.#readOldStyle(arg);
    if (!arg.start.startsWith('-') || arg.text === '-') return this.#addOperand(arg);
    if (arg.text === '--') {
      this.#hasEnded = !this.#mayTakeNext();
      return;
    }
    if (arg.start.startsWith('--')) return this.#readLong(arg);
    if (this.#syntax.bundles && !this.#isOneWord(arg)) return this.#readBundle(arg);
    return this.#readLong(arg);
  }

  #addOperand(arg: Arg): void {
    if (this.#firstOperand < 0) this.#firstOperand = this.#at;
    this.#operands.push(arg);
    if (this.#isLeading) this.#hasEnded = true;
  }

  /** An unlisted option may take the next word as its value, even `--`. */
  #mayTakeNext(): boolean {
    const last = this.#given.at(-1);
    return last?.option === null && last.word === this.#argv[this.#at - 1]?.text;
  }

  /** Where one dash is as good as two, a listed name is no bundle. */
  #isOneWord({ start }: Arg): boolean {
    if (!this.#syntax.anyDash) return false;
    const name = start.split('=', 1)[0] ?? '';
    if (this.#options.has(name)) return true;
    return ![...name.slice(1)].every((letter) => this.#options.has(`-${letter}`));
  }

  #readLong(arg: Arg): void {
    const sign = arg.start.indexOf('=');
    const name = sign < 0 ? arg.start : arg.start.slice(0, sign);
    if (sign < 0 && arg.open !== null) this.#unclear.push(arg);
    const option = this.#findLong(name, arg.start);
    const isAttached =
      option?.arity === 'rest' || (option?.arity === 'joined' && name !== option.name);
    if (option && isAttached) {
      const from = option.name.length;
      return this.#add(arg, option, sliced(arg, arg.start[from] === '=' ? from + 1 : from));
    }
    if (sign >= 0) return this.#add(arg, option, sliced(arg, sign + 1));
    this.#add(arg, option, this.#nextFor(option));
  }

  #findLong(name: string, word: string): Option | null {
    const { anyDash, abbreviates, negates } = this.#syntax;
    const other = name.startsWith('--') ? name.slice(1) : `-${name}`;
    const exact = this.#options.get(name) ?? (anyDash ? this.#options.get(other) : undefined);
    if (exact) return exact;
    const prefixed = this.#longestPrefix(word);
    if (prefixed) return prefixed;
    const long = anyDash && !name.startsWith('--') ? `-${name}` : name;
    const similar = abbreviates && long.length > 2 ? this.#startingWith(long) : undefined;
    if (similar) return similar;
    const undone = negates && /^--no-(.+)$/.exec(long)?.[1];
    const plain = undone ? this.#findLong(`--${undone}`, `--${undone}`) : undefined;
    if (plain) return { name: long, arity: 'none', effect: 'plain' };
    return this.#anyOption;
  }

  #longestPrefix(word: string): Option | undefined {
    const fitting = [...this.#options.values()].filter(
      ({ name, arity }) => /^(rest|joined)$/.test(arity) && name !== '-' && word.startsWith(name),
    );
    return fitting.sort((a, b) => b.name.length - a.name.length)[0];
  }

  /** Several options that begin alike are an error of the program: none of them takes the next word. */
  #startingWith(name: string): Option | undefined {
    const fitting = [...this.#options.values()].filter(
      (option) => option.name.startsWith('--') && option.name.startsWith(name),
    );
    const worst =
      fitting.find(({ effect }) => /^(run|connect|ask)$/.test(effect)) ??
      fitting.find(({ effect }) => effect !== 'plain') ??
      fitting[0];
    const isCertain = fitting.every(({ arity }) => arity === worst?.arity);
    return worst && (isCertain ? worst : { ...worst, arity: 'none' });
  }

  #readBundle(arg: Arg): void {
    const { start } = arg;
    for (let at = 1; at < start.length; at += 1) {
      const digit = /\d/.test(start[at] ?? '') ? this.#options.get('-%') : undefined;
      const two = this.#options.get(`-${start.slice(at, at + 2)}`);
      const option = digit ?? two ?? this.#options.get(`-${start[at]}`) ?? this.#anyOption;
      if (option === two && two) at += 1;
      const rest = at + 1 < start.length || arg.open !== null ? sliced(arg, at + 1) : null;
      if (option?.arity === 'one' || option?.arity === 'joined')
        return this.#add(arg, option, rest ?? this.#nextFor(option));
      if (option?.arity === 'attached') return this.#add(arg, option, rest);
      this.#add(arg, option, option ? null : rest);
      if (option?.arity === 'digits') while (/\d/.test(start[at + 1] ?? '')) at += 1;
      if (option === null && /\W/.test(start[at] ?? '')) return;
    }
    if (arg.open !== null) this.#unclear.push(arg);
  }

  /** `tar cIf program archive`: the values are the next words, in the order of the letters. */
  #readOldStyle({ text }: Arg): void {
    for (const letter of text) {
      const option = this.#options.get(`-${letter}`) ?? null;
      this.#add({ text: letter, start: letter, open: null }, option, this.#nextFor(option));
    }
  }

  #nextFor(option: Option | null): Arg | null {
    if (option?.arity === 'command') return this.#skipCommand();
    if (option?.arity === 'none' && this.#syntax.takesBooleans) {
      if (/^(true|false)$/.test(this.#argv[this.#at + 1]?.text ?? '')) this.#at += 1;
      return null;
    }
    const count = { one: 1, joined: 1, two: 2 }[String(option?.arity)];
    if (count === undefined) return null;
    this.#at += count;
    return this.#argv[this.#at] ?? null;
  }

  /** The words after `find -exec`, which the reader of shell commands judges. */
  #skipCommand(): null {
    const ends = (arg: Arg | undefined, before: Arg | undefined) =>
      arg?.text === ';' || (arg?.text === '+' && before?.text === '{}');
    do this.#at += 1;
    while (this.#at < this.#argv.length && !ends(this.#argv[this.#at], this.#argv[this.#at - 1]));
    return null;
  }

  #add(arg: Arg, option: Option | null, value: Arg | null): void {
    this.#given.push({ word: option?.name ?? arg.text, option, value });
    if (option && this.#ends.has(option.name)) this.#hasEnded = true;
  }
}

/** A word that may expand to something that begins with a dash. */
function mayBeOption({ open, start }: Arg): boolean {
  return open !== null && open !== 'number' && !/^[^-]|^-./.test(start);
}
