import { posix } from 'node:path';
import type { Command } from 'unbash';
import {
  type Arg,
  type Assign,
  assignmentIn,
  literalArg,
  type Part,
  type Redirection,
} from '../../domain/parsed-command.ts';
import { isReserved, readBuiltin } from './builtins.ts';
import type { CommandContext, ParseContext } from './parse-context.ts';
import { innerOfShell, OTHER_SHELLS, RUNNING_BUILTINS, SHELLS } from './shells.ts';
import { changesVariables } from './variable-writes.ts';
import { type InnerCommand, innerOf } from './wrappers.ts';
import { innerOfFind, innerOfXargs } from './xargs-and-find.ts';

/** One command with its words expanded. */
interface ParsedCommand {
  readonly words: readonly Arg[];
  readonly assigns: readonly Assign[];
  readonly redirects: readonly Redirection[];
  readonly inputs: readonly Arg[];
  readonly command: Command | null;
}

/** Records a command, and everything that it would run in turn. */
export function parseCommand(
  reader: ParseContext,
  parsed: ParsedCommand,
  context: CommandContext,
): void {
  const { assigns, redirects } = parsed;
  const [first, ...argv] = parsed.words;
  if (!first || first.open !== null || first.text === '') {
    reader.builder.addPart(reader.createPart({ argv, assigns, redirects }, context));
    if (first || parsed.command?.name)
      reader.builder.addDoubt('dynamic_program', first?.text ?? '…');
    return;
  }
  const program = first.text;
  if (parsed.command?.name && parsed.command.name.value !== program && changesVariables(program)) {
    reader.builder.addDoubt('dynamic_program', parsed.command.name.text);
  }
  const inners = innerCommandsOf(reader, { ...parsed, argv, program }, context);
  const fed =
    context.fed || parsed.inputs.length > 0 || redirects.some(({ way }) => way !== 'write');
  const defined = reader.functions.has(program);
  const wraps = inners !== undefined;
  const part: Partial<Part> = { program, argv, assigns, redirects, wraps, fed, defined };
  reader.builder.addPart(reader.createPart(part, context));
  if (defined && isReserved(program)) reader.builder.addDoubt('function_shadows', program);
  if (defined) for (const { text } of argv) reader.checkEvaluatedAgain(text);
  for (const inner of inners ?? []) readInner(reader, inner, { program, context });
  readBuiltin(reader, program, argv);
  if (program === 'cd' || program === 'pushd' || program === 'popd')
    changeFolder(reader, program, argv);
}

interface CalledProgram extends ParsedCommand {
  readonly program: string;
  readonly argv: readonly Arg[];
}

function innerCommandsOf(reader: ParseContext, call: CalledProgram, { upstream }: CommandContext) {
  const { program, argv, inputs } = call;
  const name = posix.basename(program);
  if (SHELLS.has(name)) return innerOfShell(argv, inputs);
  if (OTHER_SHELLS.has(name)) {
    reader.builder.addDoubt('other_shell', name);
    return innerOfShell(argv, inputs).filter((inner) => !('doubt' in inner));
  }
  if (name === 'xargs') return innerOfXargs(argv, upstream);
  if (name === 'find') return innerOfFind(argv);
  if (name === 'parallel')
    return [{ doubt: name }, { argv: argv.filter(({ start }) => !start.startsWith('-')) }];
  return Object.hasOwn(RUNNING_BUILTINS, name)
    ? RUNNING_BUILTINS[name]?.(argv)
    : innerOf(name, argv);
}

interface InnerContext {
  readonly program: string;
  readonly context: CommandContext;
}

function readInner(
  reader: ParseContext,
  inner: InnerCommand,
  { program, context }: InnerContext,
): void {
  const within = [...context.within, program];
  if ('doubt' in inner) {
    reader.builder.addDoubt(program === 'eval' ? 'dynamic_shell' : 'unknown_option', inner.doubt);
    return;
  }
  if ('argv' in inner) {
    const here = { ...context, within, isUnconditional: false, upstream: [] };
    const assigns = (inner.env ?? []).flatMap((word) => assignmentIn(word, true));
    if (inner.argv.length === 0 && assigns.length === 0) return;
    const words = inner.argv;
    parseCommand(reader, { words, assigns, redirects: [], inputs: [], command: null }, here);
    return;
  }
  if (inner.shell.open !== null || inner.shell.text.includes('{}')) {
    reader.builder.addDoubt('dynamic_shell', inner.shell.text);
    return;
  }
  const scriptContext = { within, folders: reader.folders };
  const after = reader.readText(inner.shell.text, scriptContext);
  if (program === 'eval' && !isSame(after, reader.folders)) reader.folders = null;
}

function isSame(a: readonly string[] | null, b: readonly string[] | null): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

const MAX_FOLDERS = 6;

/** A change of folder may fail, so the earlier folders stay possible. */
function changeFolder(reader: ParseContext, program: string, argv: readonly Arg[]): void {
  const [to, ...more] = argv.filter(({ text }) => !/^-[LPe@]*$|^--$/.test(text) || text === '-');
  const before = reader.folders;
  if (program !== 'cd' || more.length > 0 || !before || before.length > MAX_FOLDERS) {
    reader.folders = null;
    return;
  }
  const target = to ?? literalArg('~');
  if (target.open !== null || target.text === '-' || target.text === '') {
    reader.folders = null;
    return;
  }
  const after = before.map((folder) => joined(folder, target.text));
  const known = after.filter((folder) => folder !== undefined);
  reader.folders = known.length < after.length ? null : [...new Set([...before, ...known])];
}

function joined(folder: string, to: string): string | undefined {
  if (to.startsWith('/') || to.startsWith('~')) return posix.normalize(to);
  if (folder.startsWith('~') && to.includes('..')) return undefined;
  const path = posix.join(folder, to);
  return path === '.' || path === './' ? '' : path;
}
