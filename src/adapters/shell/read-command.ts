import { posix } from 'node:path';
import type { Command } from 'unbash';
import type { Arg, Assign, Part, Redirection } from '../../domain/shell-reading.ts';
import { isReserved, readBuiltin } from './builtins.ts';
import { innerOfFind, innerOfXargs } from './listings.ts';
import type { Reader, Standing } from './reader.ts';
import { foundOnPath, innerOfShell, isStream, OTHER_SHELLS, SHELLS } from './shells.ts';
import { type Inner, innerOf, joinedShell } from './wrappers.ts';
import { changesVariables } from './writers.ts';

/** One command with its words worked out. */
interface Said {
  readonly words: readonly Arg[];
  readonly assigns: readonly Assign[];
  readonly redirects: readonly Redirection[];
  readonly inputs: readonly Arg[];
  readonly command: Command | null;
}

/** Takes down a command, and everything that it would run in turn. */
export function readCommand(reader: Reader, said: Said, standing: Standing): void {
  const { assigns, redirects } = said;
  const [first, ...argv] = said.words;
  if (!first || first.open !== null || first.text === '') {
    reader.notes.part(reader.partOf({ argv, assigns, redirects }, standing));
    if (first || said.command?.name) reader.notes.doubt('dynamic_program', first?.text ?? '…');
    return;
  }
  const program = first.text;
  if (said.command?.name && said.command.name.value !== program && changesVariables(program)) {
    reader.notes.doubt('dynamic_program', said.command.name.text);
  }
  const inners = innersOf(reader, { ...said, argv, program }, standing);
  const fed =
    standing.fed || said.inputs.length > 0 || redirects.some(({ way }) => way !== 'write');
  const defined = reader.functions.has(program);
  const wraps = inners !== undefined;
  const part: Partial<Part> = { program, argv, assigns, redirects, wraps, fed, defined };
  reader.notes.part(reader.partOf(part, standing));
  if (defined && isReserved(program)) reader.notes.doubt('function_shadows', program);
  if (defined) for (const { text } of argv) reader.secondTime(text);
  for (const inner of inners ?? []) readInner(reader, inner, { program, standing });
  readBuiltin(reader, program, argv);
  if (program === 'cd' || program === 'pushd' || program === 'popd') moveTo(reader, program, argv);
}

interface Called extends Said {
  readonly program: string;
  readonly argv: readonly Arg[];
}

function innersOf(reader: Reader, called: Called, { upstream }: Standing) {
  const { program, argv, inputs } = called;
  const name = posix.basename(program);
  if (SHELLS.has(name)) return innerOfShell(argv, inputs);
  if (OTHER_SHELLS.has(name)) {
    reader.notes.doubt('other_shell', name);
    return innerOfShell(argv, inputs).filter((inner) => !('doubt' in inner));
  }
  switch (name) {
    case 'xargs':
      return innerOfXargs(argv, upstream);
    case 'find':
      return innerOfFind(argv);
    case '.':
    case 'source':
      return argv.some(isStream) ? [{ doubt: `${name} of a stream` }] : foundOnPath(argv);
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

/** `npx tool@1.2.3` runs the same program, in a version that is named. */
function withoutVersion(inner: Inner): Inner {
  if (!('argv' in inner)) return inner;
  const [program, ...rest] = inner.argv;
  const name =
    program?.open === null ? /^([a-z][\w.-]*)@[\w.^~-]+$/i.exec(program.text)?.[1] : undefined;
  if (name === undefined) return inner;
  return { ...inner, argv: [{ text: name, open: null, start: name }, ...rest] };
}

function innerOfTrap(argv: readonly Arg[]): readonly Inner[] {
  const [action, ...signals] = argv.filter(({ text }) => text !== '--');
  if (!action || signals.length === 0 || /^-[lp]?$/.test(action.text)) return [];
  return [{ shell: action }];
}

/** Every operand is a command line of its own; `npm:` names scripts of the package. */
function innerOfConcurrently(argv: readonly Arg[]): readonly Inner[] {
  const valued = ['-n', '--names', '-c', '--prefix-colors', '-p', '--prefix', '--success', '-s'];
  return argv.flatMap((arg, at): readonly Inner[] => {
    if (arg.start.startsWith('--teardown=')) return [behindSign(arg)];
    if (arg.start.startsWith('-') || valued.includes(argv[at - 1]?.text ?? '')) return [];
    return /^(npm|yarn|pnpm|bun):/.test(arg.start) ? [] : [{ shell: arg }];
  });
}

function innerOfNodemon(argv: readonly Arg[]): readonly Inner[] {
  return argv.flatMap((arg, at): readonly Inner[] => {
    const next = argv[at + 1];
    if (arg.text === '--exec' || arg.text === '-x') return next ? [{ shell: next }] : [];
    return arg.start.startsWith('--exec=') ? [behindSign(arg)] : [];
  });
}

/** The value of an option that stands in the same word. */
function behindSign({ text, start, open }: Arg): Inner {
  const at = start.indexOf('=') + 1;
  return { shell: { text: text.slice(at), start: start.slice(at), open } };
}

interface Running {
  readonly program: string;
  readonly standing: Standing;
}

function readInner(reader: Reader, inner: Inner, { program, standing }: Running): void {
  const within = [...standing.within, program];
  if ('doubt' in inner) {
    reader.notes.doubt(program === 'eval' ? 'dynamic_shell' : 'unknown_option', inner.doubt);
    return;
  }
  if ('argv' in inner) {
    const here = { ...standing, within, straight: false, upstream: [] };
    const assigns = (inner.env ?? []).map(assignIn);
    if (inner.argv.length === 0 && assigns.length === 0) return;
    const words = inner.argv;
    readCommand(reader, { words, assigns, redirects: [], inputs: [], command: null }, here);
    return;
  }
  if (inner.shell.open !== null || inner.shell.text.includes('{}')) {
    reader.notes.doubt('dynamic_shell', inner.shell.text);
    return;
  }
  const place = { within, folders: reader.folders };
  const after = reader.text(inner.shell.text, place);
  if (program === 'eval' && !isSame(after, reader.folders)) reader.folders = null;
}

function isSame(a: readonly string[] | null, b: readonly string[] | null): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function assignIn({ text, start, open }: Arg): Assign {
  const at = start.indexOf('=');
  const value = { text: text.slice(at + 1), start: start.slice(at + 1), open };
  return { name: start.slice(0, at), value, exported: true };
}

const MOST_FOLDERS = 6;

/** A change of folder may fail, so what was possible before stays possible. */
function moveTo(reader: Reader, program: string, argv: readonly Arg[]): void {
  const [to, ...more] = argv.filter(({ text }) => !/^-[LPe@]*$|^--$/.test(text) || text === '-');
  const before = reader.folders;
  if (program !== 'cd' || more.length > 0 || !before || before.length > MOST_FOLDERS) {
    reader.folders = null;
    return;
  }
  const target = to ?? { text: '~', open: null, start: '~' };
  if (target.open !== null || target.text === '-' || target.text === '') {
    reader.folders = null;
    return;
  }
  const after = before.map((folder) => joined(folder, target.text));
  const told = after.filter((folder) => folder !== undefined);
  reader.folders = told.length < after.length ? null : [...new Set([...before, ...told])];
}

function joined(folder: string, to: string): string | undefined {
  if (to.startsWith('/') || to.startsWith('~')) return posix.normalize(to);
  if (folder.startsWith('~') && to.includes('..')) return undefined;
  const path = posix.join(folder, to);
  return path === '.' || path === './' ? '' : path;
}
