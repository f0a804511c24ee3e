import { CommanderError } from 'commander';
import { visible, visibleLines } from '../api/escape-control-characters.ts';
import { HallUnreachable, ProblemReceived } from '../api/problem-received.ts';
import { ConfigRefused, spellMistake } from '../config/mistake.ts';
import type { Reach } from './find-hall.ts';
import { InvalidUsage } from './invalid-usage.ts';

/** What every command answers the shell with. */
export const EXIT_CODES = { ok: 0, failed: 1, wrongUse: 2, refused: 3, interrupted: 130 } as const;

/** How a command that threw ends. */
export interface Exit {
  readonly exit: number;
  readonly code: string;
  readonly message: string;
  readonly mistakes: readonly string[];
  /** What to do next. */
  readonly hint: string | undefined;
}

interface Around {
  /** The hall that was asked, once one was. */
  readonly reach: Reach | undefined;
  /** How this program is called here. */
  readonly self: string;
}

export function exitFor(error: unknown, { reach, self }: Around): Exit {
  if (error instanceof CommanderError) return usage(error);
  if (error instanceof InvalidUsage) return plain(error, EXIT_CODES.wrongUse, 'wrong_use');
  if (error instanceof ConfigRefused) return badConfig(error);
  if (error instanceof ProblemReceived) return refused(error, { reach, self });
  if (error instanceof HallUnreachable) {
    const hint = `is the hall running there? "${self} doctor" looks, "${self} start" starts one`;
    return { ...plain(error, EXIT_CODES.failed, 'unreachable'), hint };
  }
  if (error instanceof Error) {
    const hint = HINTS[(error as NodeJS.ErrnoException).code ?? '']?.(self);
    return { ...plain(error, EXIT_CODES.failed, nameOf(error)), hint };
  }
  return plain(new Error(String(error)), EXIT_CODES.failed, 'failed');
}

/** What to do about faults of the machine that are met often. */
const HINTS: Readonly<Record<string, (self: string) => string>> = {
  EADDRINUSE: () =>
    'another program listens there: stop it, or choose another address with --listen, of model play with --port',
  EACCES: (self) => `this account may not do that; "${self} doctor" says what is not writable`,
  ENOENT: () => 'look whether the path is right',
  EEXIST: () => 'something is there already: name another path, or move it away',
  ENOSPC: () => 'the disk is full: free some space',
};

/** What to do about refusals that newcomers meet. */
const REFUSED_HINTS: Readonly<Record<string, (self: string) => string>> = {
  unknown_project: (self) =>
    `"${self} project list" shows those there are, "${self} project add NAME" adds one`,
  unknown_instance: (self) => `"${self} agents list" shows those there are`,
  unknown_invoker: (self) => `"${self} invokers list" shows those there are`,
  unknown_worker: (self) => `"${self} worker list" shows those there are`,
  unknown_token: (self) => `"${self} token list" shows those there are`,
  unknown_rule: (self) => `"${self} rules list" shows those there are`,
  unknown_approval: (self) => `"${self} approvals list" shows those there are`,
};

/** Help that was asked for is no mistake; help that was not is what a noun without its verb gets. */
function usage({ exitCode, code, message }: CommanderError): Exit {
  const isMistake = exitCode !== 0;
  const said = code === 'commander.help' ? 'a command is missing: see --help' : message;
  return {
    exit: isMistake ? EXIT_CODES.wrongUse : EXIT_CODES.ok,
    code: 'wrong_use',
    message: isMistake ? visibleLines(said.replace(/^error: /, '')) : '',
    mistakes: [],
    hint: undefined,
  };
}

function plain(error: Error, exit: number, code: string): Exit {
  return { exit, code, message: visibleLines(error.message), mistakes: [], hint: undefined };
}

function nameOf({ name }: Error): string {
  return name.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

function badConfig({ mistakes }: ConfigRefused): Exit {
  const many = mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`;
  return {
    exit: EXIT_CODES.wrongUse,
    code: 'config_refused',
    message: `the configuration has ${many}`,
    mistakes: mistakes.map((mistake) => visible(spellMistake(mistake))),
    hint: undefined,
  };
}

function refused(problem: ProblemReceived, { reach, self }: Around): Exit {
  const { status, code, detail, mistakes, request } = problem;
  const said = {
    code,
    message: visibleLines(detail),
    mistakes: mistakes.map(({ path, message }) =>
      visible(path === '' ? message : `${path}: ${message}`),
    ),
  };
  if (status === 401) {
    const hint = `${reach?.tokenFrom ?? 'no token was given'}; pass one with --token, in $GUILDHALL_TOKEN, or in a file that $GUILDHALL_TOKEN_FILE names`;
    return { ...said, exit: EXIT_CODES.failed, hint };
  }
  if (status >= 500) {
    const hint = request === null ? undefined : `the hall's log has more under request ${request}`;
    return { ...said, exit: EXIT_CODES.failed, hint };
  }
  const hint = REFUSED_HINTS[code]?.(self);
  return { ...said, exit: status === 400 ? EXIT_CODES.wrongUse : EXIT_CODES.refused, hint };
}
