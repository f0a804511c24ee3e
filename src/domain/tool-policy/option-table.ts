import type { JudgedCall } from './judge-call.ts';
import type { Ruling } from './ruling.ts';

/** What a program does with the value of an option, or with an operand. */
export type Use =
  /** Reads the file. */
  | 'read'
  /** Writes, creates or removes the file or folder. */
  | 'write'
  /** Runs the file, which must belong to the repository. */
  | 'code'
  /** Works in the folder. */
  | 'folder'
  /** Runs it as a script in the language of the program. */
  | 'script';

/** What an option makes its program do. */
type Effect =
  | Use
  /** Nothing but what the program does anyway. */
  | 'plain'
  /** Writes to the operands, which are only read without it, and keeps a copy under the name of its value. */
  | 'edit'
  /** Treats the operands as whole folders. */
  | 'recurse'
  /** Runs the module that is its value, with the operands as its words. */
  | 'module'
  /** Runs another program, or code from the command line. */
  | 'run'
  /** Connects to another machine. */
  | 'connect'
  /** Does something else that a person should know of. */
  | 'ask';

/** What the words are that are not options; the last kind stands for all that follow. */
type Operand =
  | Use
  /** Read, except the last one, which is written. */
  | 'copy'
  /** Names of the program's own, such as a pattern or a number: never a file. */
  | 'word'
  /** Targets, tests or files of the repository: nothing is known, but nothing runs besides its code. */
  | 'own';

/** What value an option takes, and where it may stand; the notation is explained at `Table`. */
type Arity = 'none' | 'one' | 'two' | 'attached' | 'joined' | 'digits' | 'rest' | 'command';

export interface Option {
  readonly name: string;
  readonly arity: Arity;
  readonly effect: Effect;
}

/** How a program tells its options from its operands. */
interface Syntax {
  /** Options may follow operands. */
  readonly permutes?: true;
  /** `-ab` is `-a -b`, and `-ofile` is `-o file`. */
  readonly bundles?: true;
  /** `--out` is `--output` where no other option begins like it. */
  readonly abbreviates?: true;
  /** `--no-x` undoes `--x`. */
  readonly negates?: true;
  /** A `true` or `false` after an option without a value belongs to it. */
  readonly takesBooleans?: true;
  /** The first word may be a bundle without a dash, whose values follow in order. */
  readonly oldStyle?: true;
  /** `-name` and `--name` are the same option. */
  readonly anyDash?: true;
  /** Every word is an operand. */
  readonly isOperandsOnly?: true;
}

/** getopt_long with `+`, and getopt of POSIX: options end at the first operand. */
const POSIX: Syntax = { bundles: true, abbreviates: true };
/** getopt_long of glibc, and argparse and optparse of Python. */
const GNU: Syntax = { ...POSIX, permutes: true };
/** nopt of npm, up to the name of a script. */
const NOPT: Syntax = { ...POSIX, negates: true, takesBooleans: true, anyDash: true };

const SYNTAXES = {
  gnu: GNU,
  posix: POSIX,
  /** parse-options.c of git. */
  git: { ...GNU, negates: true },
  /** argp of tar. */
  tar: { ...GNU, oldStyle: true },
  nopt: { ...NOPT, permutes: true },
  nopt_leading: NOPT,
  /** Each option is a word of its own: gcc, find and most command lines of Node. */
  words: { permutes: true },
  /** The same, and options end at the first operand: node and java. */
  leading: {},
  /** yargs of a program that runs another: options end at the first operand. */
  yargs: { takesBooleans: true },
  /** Nothing is known of its options. */
  unknown: { isOperandsOnly: true, permutes: true },
  /** The flag package of Go. */
  go: { anyDash: true },
} as const satisfies Record<string, Syntax>;

export function syntaxOf({ syntax = 'gnu' }: Table): Syntax {
  return SYNTAXES[syntax];
}

/** What is known of a program: everything that is not in its table is unlisted. */
export interface Table {
  /** The manual that the options come from. */
  readonly source: string;
  readonly syntax?: keyof typeof SYNTAXES;
  /**
   * `-a` takes no value, `-a=` one, `-a+` two, `-a?` one only in the same word, `-a#` only digits, and `-a;`
   * takes words up to a `;`. `-a*` stands for every word that begins with it, `-a&` for that and for `-a`
   * with the next word, `-%` for a number, and `-*` for every option that is not listed. What follows
   * `write:` has that effect, up to the next one; what comes first is plain.
   */
  readonly options?: string;
  /** Values with which an option runs something else. */
  readonly risky?: RegExp;
  /** By position; unlisted if there are none. */
  readonly operands?: readonly Operand[];
  /** With one of these options the first kind of operand is left out. */
  readonly replacedBy?: string;
  /** The language of its scripts; those of another one are not read. */
  readonly language?: 'sed' | 'awk' | 'python' | 'node';
  /** After an option of these, the remaining words belong to what it runs. */
  readonly ends?: string;
  /** By the first operand. */
  readonly verbs?: Readonly<Record<string, Table>>;
  /** What is known of modules that are not programs too. */
  readonly modules?: Readonly<Record<string, Table>>;
  /** Verbs may be abbreviated, as npm allows. */
  readonly abbreviatesVerbs?: true;
  /** Options before the verb are allowed after it too. */
  readonly inherits?: true;
  /** A call without a verb, and one with a verb that is not in the table. */
  readonly none?: Table;
  readonly other?: Table;
  /** What every call does, if that is not ordinary work. */
  readonly always?: { readonly verdict: 'review' | 'deny'; readonly because: string };
  /** A check of its own beyond its options. */
  readonly check?: (call: JudgedCall) => readonly Ruling[];
}

const COMPILED = new WeakMap<Table, ReadonlyMap<string, Option>>();
const ARITIES: Readonly<Record<string, Arity>> = {
  '=': 'one',
  '?': 'attached',
  '+': 'two',
  '&': 'joined',
  '#': 'digits',
  '*': 'rest',
  ';': 'command',
};

/** The options of a table by name. */
export function optionsOf(table: Table): ReadonlyMap<string, Option> {
  const known = COMPILED.get(table);
  if (known) return known;
  let effect: Effect = 'plain';
  const compiled = new Map<string, Option>();
  for (const word of (table.options ?? '').split(/\s+/).filter(Boolean)) {
    if (/^[a-z]+:$/.test(word)) {
      effect = word.slice(0, -1) as Effect;
      continue;
    }
    const arity = ARITIES[word.slice(-1)] ?? 'none';
    const name = arity === 'none' ? word : word.slice(0, -1);
    compiled.set(name, { name, arity, effect });
  }
  COMPILED.set(table, compiled);
  return compiled;
}

/** A table of the options in the text. */
export function table(source: string, operands = '', more: Partial<Table> = {}) {
  return (text: TemplateStringsArray, ...parts: readonly string[]): Table => ({
    source,
    options: String.raw(text, ...parts),
    ...(operands !== '' && { operands: operands.split(' ') as Operand[] }),
    ...more,
  });
}

/** One table for several names. */
export function named(names: string, one: Table): Readonly<Record<string, Table>> {
  return Object.fromEntries(names.split(/\s+/).map((name) => [name, one]));
}

/** A program that always waits for a person. */
export function asks(source: string, because: string): Table {
  return { source, always: { verdict: 'review', because } };
}

export function denies(source: string, because: string): Table {
  return { source, always: { verdict: 'deny', because } };
}
