import { CommanderError } from 'commander';
import { visible, visibleLines } from '../api/escape-control-characters.ts';
import { HallUnreachable, ProblemReceived } from '../api/problem-received.ts';
import { ConfigRefused, spellMistake } from '../config/mistake.ts';
import { asTyped } from './as-typed.ts';
import type { CommandSpec } from './command.ts';
import type { Reach } from './find-hall.ts';
import { InvalidUsage } from './invalid-usage.ts';
import type { PrintedCommands } from './printed-commands.ts';
import { ProblemInFile } from './problem-in-file.ts';

/** The exit codes of every command. */
export const EXIT_CODES = {
  ok: 0,
  failed: 1,
  invalidUsage: 2,
  refused: 3,
  interrupted: 130,
} as const;

/** How a command that threw ends. */
export interface Exit {
  readonly exit: number;
  readonly code: string;
  readonly message: string;
  readonly mistakes: readonly string[];
  /** What to do next. */
  readonly hint: string | undefined;
}

interface ExitContext {
  /** The hall that the command called, if it did. */
  readonly reach: Reach | undefined;
  readonly printed: PrintedCommands;
  /** The command, once it is known. */
  readonly spec: CommandSpec | undefined;
}

export function exitFor(error: unknown, context: ExitContext): Exit {
  const exit = describe(error, context);
  const { localized } = context.printed;
  return { ...exit, message: localized(exit.message), mistakes: exit.mistakes.map(localized) };
}

function describe(error: unknown, context: ExitContext): Exit {
  const { command } = context.printed;
  if (error instanceof CommanderError) return usage(error, command('help'));
  if (error instanceof InvalidUsage) return plain(error, EXIT_CODES.invalidUsage, 'invalid_usage');
  if (error instanceof ConfigRefused) return badConfig(error);
  if (error instanceof ProblemReceived) return refused(error, context);
  if (error instanceof ProblemInFile) return refusedFile(error, context);
  if (error instanceof HallUnreachable) {
    const hint = `is the hall running there? (to check: ${command('doctor')}; to start one: ${command('start')})`;
    return { ...plain(error, EXIT_CODES.failed, 'unreachable'), hint };
  }
  if (error instanceof Error) {
    const fault: NodeJS.ErrnoException & { address?: string; port?: number } = error;
    const hint = HINTS[fault.code ?? '']?.(command);
    const message = visibleLines(systemMessage(fault) ?? fault.message);
    return { ...plain(error, EXIT_CODES.failed, nameOf(error)), message, hint };
  }
  return plain(new Error(String(error)), EXIT_CODES.failed, 'failed');
}

/** In place of what the system says, such as "ENOENT: no such file or directory, open '/x'". */
function systemMessage({
  code = '',
  syscall,
  path,
  address,
  port,
}: NodeJS.ErrnoException & { address?: string; port?: number }): string | undefined {
  const sentence = SENTENCES[code];
  if (sentence === undefined) return undefined;
  if (syscall?.startsWith('spawn')) return `${path} is not installed, or not on the PATH`;
  const what = port === undefined ? path : `${address ?? ''}:${port}`;
  return `${what ?? 'the path'} ${sentence}`;
}

const SENTENCES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use by another program',
  EADDRNOTAVAIL: 'is not an address of this machine',
  EACCES: 'cannot be used by this account',
  EEXIST: 'already exists',
  EISDIR: 'is a folder, not a file',
  ENOENT: 'does not exist',
  ENOSPC: 'cannot be written: the disk is full',
  ENOTDIR: 'cannot be reached: a part of its path is not a folder',
  EROFS: 'is on a read-only file system',
};

/** What to do about common faults of the machine. */
const HINTS: Readonly<Record<string, (command: PrintedCommands['command']) => string>> = {
  EADDRINUSE: () =>
    'stop that program, or choose another address with --listen (model play: --port)',
  EACCES: (command) =>
    `this account lacks permission; see what is not writable with: ${command('doctor')}`,
  ENOENT: () => 'check the path',
  EADDRNOTAVAIL: () => 'choose another address with --listen, such as 127.0.0.1:4600',
  EEXIST: () => 'choose another path, or move the existing file away',
  EISDIR: () => 'name a file',
  ENOTDIR: () => 'check the path',
  ENOSPC: () => 'free some space',
};

/** What to do about refusals that newcomers often see. */
const REFUSED_HINTS: Readonly<Record<string, (command: PrintedCommands['command']) => string>> = {
  unknown_project: (command) =>
    `(to list projects: ${command('project list')}; to add one: ${command('project add', 'NAME')})`,
  unknown_instance: (command) => `list them with: ${command('agents list')}`,
  unknown_invoker: (command) => `list them with: ${command('invokers list')}`,
  unknown_worker: (command) => `list them with: ${command('worker list')}`,
  unknown_token: (command) => `list them with: ${command('token list')}`,
  unknown_source: (command) => `list them with: ${command('sources list')}`,
  unknown_secret: (command) => `list them with: ${command('secrets list')}`,
  unknown_rule: (command) => `list them with: ${command('rules list')}`,
  unknown_approval: (command) => `list them with: ${command('approvals list')}`,
};

/** In place of what Commander says. It repeats all arguments, and one too many may be a secret. */
const USAGE_TEXTS: readonly (readonly [pattern: RegExp, text: string])[] = [
  [/^commander\.help /, 'missing command; see --help'],
  [
    /^commander\.excessArguments .* for 'set'/,
    'the value of a secret is not taken from the command line; pass it on standard input, or type it when asked',
  ],
];

/** Help on request is not a mistake; Commander also prints help for a noun without its verb. */
function usage({ exitCode, code, message }: CommanderError, help: string): Exit {
  const isMistake = exitCode !== 0;
  const text = USAGE_TEXTS.find(([pattern]) => pattern.test(`${code} ${message}`))?.[1] ?? message;
  return {
    exit: isMistake ? EXIT_CODES.invalidUsage : EXIT_CODES.ok,
    code: 'invalid_usage',
    message: isMistake ? visibleLines(text.replace(/^error: /, '')) : '',
    mistakes: [],
    hint: isMistake && code !== 'commander.help' ? `see: ${help}` : undefined,
  };
}

function plain(error: Error, exit: number, code: string): Exit {
  return { exit, code, message: visibleLines(error.message), mistakes: [], hint: undefined };
}

function nameOf({ name }: Error): string {
  return name.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

function badConfig({ mistakes }: ConfigRefused): Exit {
  const count = mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`;
  return {
    exit: EXIT_CODES.invalidUsage,
    code: 'config_refused',
    message: `the configuration has ${count}`,
    mistakes: mistakes.map((mistake) => visible(spellMistake(mistake))),
    hint: undefined,
  };
}

/** Each mistake is told once, with its place in the file. */
function refusedFile({ source, problem }: ProblemInFile, context: ExitContext): Exit {
  const { file, placeOf } = source;
  const [first, ...others] = problem.mistakes.map(({ path, message }) =>
    visible(`${placeOf(path)}: ${message}`),
  );
  const { exit, code, hint } = refused(problem, context);
  const told = { exit, code, hint };
  if (first === undefined || others.length > 0) {
    const mistakes = first === undefined ? [] : [first, ...others];
    return { ...told, message: visible(`${file} has ${mistakes.length} mistakes`), mistakes };
  }
  return { ...told, message: first, mistakes: [first] };
}

function refused(problem: ProblemReceived, { reach, printed, spec }: ExitContext): Exit {
  const { status, code, request } = problem;
  const mistakes = problem.mistakes.map(({ path, message }) => ({
    path: asTyped(path, spec),
    message,
  }));
  const described = {
    code,
    message: visibleLines(detailAsTyped(problem, mistakes[0]?.path)),
    mistakes: mistakes.map(({ path, message }) =>
      visible(path === '' ? message : `${path}: ${message}`),
    ),
  };
  if (status === 401) {
    const hint = `${reach?.tokenFrom ?? 'no token was sent'}; pass a token with --token, $GUILDHALL_TOKEN or $GUILDHALL_TOKEN_FILE`;
    return { ...described, exit: EXIT_CODES.failed, hint };
  }
  if (status >= 500) {
    const hint =
      request === null ? undefined : `for details, look for request ${request} in the hall's log`;
    return { ...described, exit: EXIT_CODES.failed, hint };
  }
  const hint = REFUSED_HINTS[code]?.(printed.command);
  return {
    ...described,
    exit: EXITS[status] ?? EXIT_CODES.refused,
    hint,
  };
}

/** What does not exist was not refused by a rule. */
const EXITS: Readonly<Record<number, number>> = {
  400: EXIT_CODES.invalidUsage,
  404: EXIT_CODES.failed,
};

/** The detail of an invalid request begins with the path of its first mistake. */
function detailAsTyped({ detail, mistakes }: ProblemReceived, typed: string | undefined): string {
  const path = mistakes[0]?.path ?? '';
  const isNamed = path !== '' && typed !== undefined && /^:? /.test(detail.slice(path.length));
  return isNamed && detail.startsWith(path) ? `${typed}${detail.slice(path.length)}` : detail;
}
