/** A word of a command, as far as it can be known before the command runs. */
export interface Arg {
  /** Without quotes and escapes; a word that cannot be known is kept as written. */
  readonly text: string;
  /**
   * Null when the word is exactly `text`. Otherwise it expands to any number of words: `glob`,
   * matching file names; `names`, names from a file listing; `number`, digits; `unknown`, anything.
   */
  readonly open: null | 'glob' | 'names' | 'number' | 'unknown';
  /** The prefix that every expansion is certain to have. */
  readonly start: string;
}

export interface Assign {
  readonly name: string;
  readonly value: Arg;
  /** True when programs see it; false for a shell variable that is not exported. */
  readonly exported: boolean;
}

export interface Redirection {
  readonly way: 'read' | 'write' | 'both';
  readonly target: Arg;
}

/** One program that the command could start, or one shell builtin. */
export interface Part {
  /** Empty when there are only assignments or redirections. */
  readonly program: string;
  readonly argv: readonly Arg[];
  readonly assigns: readonly Assign[];
  readonly redirects: readonly Redirection[];
  /** The folders it may run in, relative to where the command starts; null when unknown. */
  readonly folders: readonly string[] | null;
  /** The constructs that enclose it, outermost first: `$( )`, `bash -c`, `xargs`. */
  readonly within: readonly string[];
  /** It runs another program, which is parsed as a part of its own. */
  readonly wraps: boolean;
  /** Whether its standard input differs from that of the whole command. */
  readonly fed: boolean;
  /** A function that the command itself defines; its body is parsed into parts of its own. */
  readonly defined: boolean;
}

/** The closed list of reasons why a command cannot be fully known, as shown to people. */
export const DOUBTS = {
  unparsable: 'it cannot be parsed reliably as shell',
  hidden_character:
    'it contains invisible characters, or characters that reorder the text around them',
  dynamic_program: 'which program runs is known only at run time',
  dynamic_shell: 'it runs shell text that is known only at run time',
  function_shadows: 'it redefines the name of a known command',
  alias: 'it defines aliases for commands',
  evaluated_text: 'it contains text that the shell would evaluate a second time',
  odd_expansion: 'it uses an expansion whose value cannot be determined',
  unknown_option:
    'it calls a program that runs other programs, with arguments that cannot be interpreted',
  changed_shell: 'it changes how the shell reads or finds commands',
  other_shell: 'it is written for a shell with other syntax',
} as const;
export type DoubtKind = keyof typeof DOUBTS;

export interface Doubt {
  readonly kind: DoubtKind;
  /** The piece of the command in question. */
  readonly text: string;
}

/** What a command would do, as far as parsing can show. */
export interface ParsedCommand {
  readonly parts: readonly Part[];
  readonly doubts: readonly Doubt[];
  /** Why parsing stopped early: the command is too large for a person to review. */
  readonly excess: string | null;
  /** The parser itself failed. */
  readonly fault: string | null;
}

export const MAX_PARTS = 50;
export const MAX_CHARACTERS = 100_000;
export const MAX_NESTING = 12;

/** A part as one line that a shell would parse the same way. */
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

/** The rest of a word. */
export function sliced({ text, start, open }: Arg, from: number): Arg {
  return { text: text.slice(from), start: start.slice(from), open };
}

/** The variable that a word such as `NAME=value` sets, if it is one. */
export function assignmentIn(word: Arg, exported: boolean): readonly Assign[] {
  const name = /^([A-Za-z_]\w*)\+?=/.exec(word.start);
  if (!name) return [];
  return [{ name: name[1] ?? '', value: sliced(word, name[0].length), exported }];
}
