import type { Arg, Part } from '../parsed-command.ts';
import {
  deny,
  FINE,
  pathWords,
  type Ruling,
  review,
  rulePath,
  type Surroundings,
  strictest,
} from './paths.ts';

/** A program call to judge. */
export interface Call {
  readonly name: string;
  readonly argv: readonly Arg[];
  readonly part: Part;
  readonly at: Surroundings;
}

export type Judge = (call: Call) => Ruling;

interface Options {
  /** Options that take the next word as their value. */
  readonly valued?: readonly string[];
  /** Options that make the program run or write something else; long ones may be abbreviated. */
  readonly dangerous?: readonly string[];
  /** The number of leading operands that are not files, such as a search pattern. */
  readonly skip?: number;
  /** With one of these options, no operand is skipped. */
  readonly unless?: readonly string[];
}

/** Safe with any arguments: it touches no file and runs nothing. */
export const harmless: Judge = () => FINE;

export function refuses(because: string): Judge {
  return () => deny(because);
}

export function asks(because: string): Judge {
  return () => review(because);
}

/** Reads and prints the files it is given. */
export function reads(options: Options = {}): Judge {
  return (call) =>
    strictest([judgeDangerousOptions(call, options), ...ruleFiles(call, options, 'read')], FINE);
}

/** Changes or creates the files it is given. */
export function writes(options: Options = {}): Judge {
  return (call) =>
    strictest([judgeDangerousOptions(call, options), ...ruleFiles(call, options, 'write')], FINE);
}

/**
 * Runs the repository's code: its tests, its build, its configuration. That is the work itself, and
 * the cell isolates it; only attempts to get around that are judged.
 */
export function ownCode(options: Options = {}): Judge {
  return (call) => strictest([judgeDangerousOptions(call, options), ...ruleSecrets(call)], FINE);
}

interface Verbs {
  readonly [verb: string]: Judge;
}

interface VerbOptions extends Options {
  /** Judges a verb that is not in the table. */
  readonly other: Judge;
  /** Judges a call without a verb. */
  readonly none?: Judge;
}

/** A program whose first operand says what it does. */
export function verbs(table: Verbs, options: VerbOptions): Judge {
  return (call) => {
    const ruling = judgeDangerousOptions(call, options);
    const at = operandAt(call.argv, options.valued ?? []);
    const verb = at < 0 ? undefined : call.argv[at];
    if (!verb) return strictest([ruling, (options.none ?? harmless)(call)], FINE);
    if (verb.open !== null) return review(`what ${call.name} does is known only at run time`);
    const judge = Object.hasOwn(table, verb.text) ? table[verb.text] : undefined;
    const inner = { ...call, name: `${call.name} ${verb.text}`, argv: call.argv.slice(at + 1) };
    return strictest([ruling, (judge ?? options.other)(inner), ...ruleSecrets(call)], FINE);
  };
}

/** Gives several verbs the same judge. */
export function alike(names: string, judge: Judge): Verbs {
  return Object.fromEntries(names.split(/\s+/).map((name) => [name, judge]));
}

/** A call for the version or help does nothing else. */
export function isAboutItself({ argv }: Pick<Call, 'argv'>): boolean {
  const [only, ...others] = argv;
  return others.length === 0 && /^(--version|--help|-V|-v|-h|version|help)$/.test(only?.text ?? '');
}

export function has({ argv }: Pick<Call, 'argv'>, ...options: readonly string[]): boolean {
  return argv.some(({ text }) => options.some((option) => isOption(text, option)));
}

/** `-o`, `-ofile`, `--output`, `--output=file`, and abbreviated long options. */
function isOption(text: string, option: string): boolean {
  if (!option.startsWith('--'))
    return (
      text === option || (option.length === 2 && text.startsWith(option) && !text.startsWith('--'))
    );
  const name = text.split('=', 1)[0] ?? '';
  return name.length > 3 && name.startsWith('--') && option.startsWith(name);
}

export function judgeDangerousOptions(call: Call, { dangerous = [] }: Options): Ruling {
  if (dangerous.length === 0) return FINE;
  const found = dangerous.find((option) => has(call, option));
  if (found) return review(`${found} makes ${call.name} run or write something else`);
  const open = call.argv.find((arg) => mayBeOption(arg));
  if (!open) return FINE;
  return review(`${open.text} may expand to an option of ${call.name} that runs something else`);
}

/** A word that may expand to something that begins with a dash. */
function mayBeOption({ open, start }: Arg): boolean {
  return open !== null && open !== 'number' && !/^[^-]/.test(start);
}

function ruleFiles(call: Call, options: Options, way: 'read' | 'write'): readonly Ruling[] {
  const { part, at } = call;
  const skip = options.unless?.some((option) => has(call, option)) ? 0 : (options.skip ?? 0);
  const files = operandsOf(call.argv, options.valued ?? []).slice(skip);
  const { folders } = part;
  return [...files.map((file) => rulePath(file, way, { folders, at })), ...ruleSecrets(call)];
}

/** Denies words that name keys or parts of the machine, whatever the program does. */
export function ruleSecrets({ argv, part: { folders }, at }: Call): readonly Ruling[] {
  return argv
    .flatMap(pathWords)
    .map((text) => rulePath({ text, open: null, start: text }, 'read', { folders, at }))
    .filter(({ verdict }) => verdict === 'deny');
}

/** Words that are neither options nor values of options. */
export function operandsOf(argv: readonly Arg[], valued: readonly string[]): readonly Arg[] {
  const operands: Arg[] = [];
  for (let at = 0; at < argv.length; at += 1) {
    const arg = argv[at] as Arg;
    if (arg.text === '--' && arg.open === null) return [...operands, ...argv.slice(at + 1)];
    if (valued.includes(arg.text)) at += 1;
    else if (!arg.start.startsWith('-') || arg.text === '-') operands.push(arg);
  }
  return operands;
}

function operandAt(argv: readonly Arg[], valued: readonly string[]): number {
  const [first] = operandsOf(argv, valued);
  return first ? argv.indexOf(first) : -1;
}
