import { posix } from 'node:path';
import type { Command } from 'unbash';
import type { Arg, Assign, Part, Redirection } from '../../domain/parsed-command.ts';
import { isReserved, readBuiltin } from './builtins.ts';
import type { CommandContext, ParseContext } from './parse-context.ts';
import { innerOfShell, isStream, OTHER_SHELLS, SHELLS, scriptOnPath } from './shells.ts';
import { changesVariables } from './variable-writes.ts';
import { type InnerCommand, innerOf, joinedShell } from './wrappers.ts';
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
  switch (name) {
    case 'xargs':
      return innerOfXargs(argv, upstream);
    case 'find':
      return innerOfFind(argv);
    case '.':
    case 'source':
      return argv.some(isStream) ? [{ doubt: `${name} of a stream` }] : scriptOnPath(argv);
    case 'eval':
      return argv.length === 0 ? [] : [joinedShell(argv)];
    case 'trap':
      return innerOfTrap(argv);
    case 'parallel':
      return [{ doubt: 'parallel' }, { argv: argv.filter(({ start }) => !start.startsWith('-')) }];
    case 'concurrently':
      return innerOfConcurrently(argv);
    case 'nodemon':
      return innerOfNodemon(argv);
    case 'npx':
    case 'pnpx':
    case 'bunx':
      return innerOf(name, argv)?.map(withoutVersion);
    default:
      return innerOf(name, argv);
  }
}

/** `npx tool@1.2.3` runs the same program in a given version. */
function withoutVersion(inner: InnerCommand): InnerCommand {
  if (!('argv' in inner)) return inner;
  const [program, ...rest] = inner.argv;
  const name =
    program?.open === null ? /^([a-z][\w.-]*)@[\w.^~-]+$/i.exec(program.text)?.[1] : undefined;
  if (name === undefined) return inner;
  return { ...inner, argv: [{ text: name, open: null, start: name }, ...rest] };
}

function innerOfTrap(argv: readonly Arg[]): readonly InnerCommand[] {
  const [action, ...signals] = argv.filter(({ text }) => text !== '--');
  if (!action || signals.length === 0 || /^-[lp]?$/.test(action.text)) return [];
  return [{ shell: action }];
}

/** Every operand is its own command line; `npm:` names scripts of the package. */
function innerOfConcurrently(argv: readonly Arg[]): readonly InnerCommand[] {
  const valued = ['-n', '--names', '-c', '--prefix-colors', '-p', '--prefix', '--success', '-s'];
  return argv.flatMap((arg, at): readonly InnerCommand[] => {
    if (arg.start.startsWith('--teardown=')) return [valueAfterEquals(arg)];
    if (arg.start.startsWith('-') || valued.includes(argv[at - 1]?.text ?? '')) return [];
    return /^(npm|yarn|pnpm|bun):/.test(arg.start) ? [] : [{ shell: arg }];
  });
}

function innerOfNodemon(argv: readonly Arg[]): readonly InnerCommand[] {
  return argv.flatMap((arg, at): readonly InnerCommand[] => {
    const next = argv[at + 1];
    if (arg.text === '--exec' || arg.text === '-x') return next ? [{ shell: next }] : [];
    return arg.start.startsWith('--exec=') ? [valueAfterEquals(arg)] : [];
  });
}

/** The value of an option in the same word. */
function valueAfterEquals({ text, start, open }: Arg): InnerCommand {
  const at = start.indexOf('=') + 1;
  return { shell: { text: text.slice(at), start: start.slice(at), open } };
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
    const assigns = (inner.env ?? []).map(parseAssignment);
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

function parseAssignment({ text, start, open }: Arg): Assign {
  const at = start.indexOf('=');
  const value = { text: text.slice(at + 1), start: start.slice(at + 1), open };
  return { name: start.slice(0, at), value, exported: true };
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
  const target = to ?? { text: '~', open: null, start: '~' };
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
