/** A word of a command, as far as it is known before the command runs. */
export interface Arg {
  /** After quotes and escapes are taken off; of a word that is not known, as it was written. */
  readonly text: string;
  /**
   * Null when it is exactly `text`. Otherwise it becomes any number of words: `glob`, names of files
   * that fit; `names`, names that a listing of files gave; `number`, digits; `unknown`, anything.
   */
  readonly open: null | 'glob' | 'names' | 'number' | 'unknown';
  /** What every word it becomes certainly begins with. */
  readonly start: string;
}

export interface Assign {
  readonly name: string;
  readonly value: Arg;
  /** True when a program will see it; false of a variable of the shell alone. */
  readonly exported: boolean;
}

export interface Redirection {
  readonly way: 'read' | 'write' | 'both';
  readonly target: Arg;
}

/** One program that could be started, or one builtin of the shell. */
export interface Part {
  /** Empty where there are only assignments or redirections. */
  readonly program: string;
  readonly argv: readonly Arg[];
  readonly assigns: readonly Assign[];
  readonly redirects: readonly Redirection[];
  /** Where it may run, relative to where the command starts; null when that cannot be known. */
  readonly folders: readonly string[] | null;
  /** What it stands in, outermost first: `$( )`, `bash -c`, `xargs`. */
  readonly within: readonly string[];
  /** What it runs is read as parts of its own. */
  readonly wraps: boolean;
  /** Whether its standard input is something else than what the whole command was given. */
  readonly fed: boolean;
  /** It is a function that the command itself defines; its body is read as parts of its own. */
  readonly defined: boolean;
}

/** The closed list of what keeps a command from being known, each as a person reads it. */
export const DOUBTS = {
  unparsable: 'it is not shell that can be read with certainty',
  hidden_character: 'it holds characters that are not seen or that move the text around them',
  dynamic_program: 'which program runs is only known when it runs',
  dynamic_shell: 'it runs shell text that is only known when it runs',
  function_shadows: 'it gives a name that is known another meaning',
  alias: 'it defines other names for commands',
  evaluated_text: 'it holds text that the shell would evaluate a second time',
  odd_expansion: 'it uses an expansion whose value cannot be told',
  unknown_option: 'a program that runs others is called in a way that is not known',
  changed_shell: 'it changes how the shell itself reads or finds commands',
  other_shell: 'it is meant for a shell that is read by other rules',
} as const;
export type DoubtKind = keyof typeof DOUBTS;

export interface Doubt {
  readonly kind: DoubtKind;
  /** The piece of the command it is about. */
  readonly text: string;
}

/** What a command would do, as far as it can be told without running it. */
export interface ParsedCommand {
  readonly parts: readonly Part[];
  readonly doubts: readonly Doubt[];
  /** Why it was not read to its end: it is larger than anybody would look through. */
  readonly excess: string | null;
  /** The reader itself failed. */
  readonly fault: string | null;
}

export const MAX_PARTS = 50;
export const MAX_CHARACTERS = 100_000;
export const MAX_NESTING = 12;

/** A part as one line that a shell would read the same way. */
export function lineOf({ program, argv, assigns }: Pick<Part, 'program' | 'argv' | 'assigns'>) {
  const before = assigns.map(({ name, value }) => `${name}=${worded(value)}`);
  const words = [...before, ...(program === '' ? [] : [quoted(program)]), ...argv.map(worded)];
  return words.join(' ');
}

function worded({ text, open }: Arg): string {
  return open === null ? quoted(text) : text;
}

function quoted(text: string): string {
  if (/^[\w@%+=:,./~^-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

export function literalArg(text: string): Arg {
  return { text, open: null, start: text };
}
