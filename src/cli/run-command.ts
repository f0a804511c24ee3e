import { type Command, CommanderError } from 'commander';
import type { CommandSpec } from './command.ts';
import { commandName } from './command-name.ts';
import { COMMANDS } from './commands.ts';
import { createContext } from './context.ts';
import { EXIT_CODES, type Exit, exitFor } from './exit.ts';
import type { Reach } from './find-hall.ts';
import { createOutput, type Output } from './output.ts';
import { ParsedInput } from './parsed-input.ts';
import type { ProcessContext } from './process-context.ts';
import { createProgram } from './program.ts';

/** Runs one command and answers its exit code. */
export async function runCommand(
  argv: readonly string[],
  context: ProcessContext,
): Promise<number> {
  const { environment, cwd } = context;
  const self = commandName(environment, cwd);
  const state: State = { exit: EXIT_CODES.ok, reach: () => undefined, lasts: false };
  outliveReaders(context, state);

  const { json, words } = withoutJson(argv);

  const program = createProgram(COMMANDS, context, async (spec, args, options) => {
    const given = new ParsedInput(args, options, context.stdin);
    const wishes = {
      json,
      colour: given.choice('color') === false ? false : undefined,
    };
    const out = createOutput(context, wishes);
    const { cli, reach } = createContext(given, out, { context, self });
    state.out = out;
    state.reach = reach;
    state.lasts = mindsSignals(spec);
    if (!state.lasts) endWhenInterrupted(context);
    state.exit = (await spec.run(cli, given)) ?? EXIT_CODES.ok;
  });

  if (json) hush(program);
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    const ending = exitFor(error, { reach: state.reach(), self });
    const out = state.out ?? createOutput(context, { json, colour: undefined });
    if (json || !(error instanceof CommanderError)) tell(ending, out);
    return ending.exit;
  }
  return state.exit;
}

/** JSON may be asked for before or after the command, and also where the command is wrong. */
function withoutJson(argv: readonly string[]): { json: boolean; words: string[] } {
  const end = argv.indexOf('--');
  const options = end < 0 ? argv : argv.slice(0, end);
  const words = options.filter((word) => word !== '--json');
  return {
    json: words.length < options.length,
    words: [...words, ...argv.slice(options.length)],
  };
}

/** A program that asked for JSON is told its mistake in JSON, and not in Commander's words as well. */
function hush(command: Command): void {
  command.configureOutput({ writeErr: () => undefined });
  for (const below of command.commands) hush(below);
}

interface State {
  exit: number;
  reach: () => Reach | undefined;
  out?: Output;
  /** Whether it goes on until it is told to stop. */
  lasts: boolean;
}

/**
 * Nobody reads any more, as after `| head`: that is no failure. What lasts goes on unheard: a hall
 * does not end because whoever keeps its log was started anew, or its terminal was closed.
 */
function outliveReaders(
  { stdout, stderr, exit }: ProcessContext,
  state: Pick<State, 'lasts'>,
): void {
  for (const stream of [stdout, stderr]) {
    stream.on('error', (fault: NodeJS.ErrnoException) => {
      if (fault.code !== 'EPIPE' && fault.code !== 'EIO') throw fault;
      if (!state.lasts) exit(EXIT_CODES.ok);
    });
  }
}

/** These have something to end or to clear away when they are told to stop. */
function mindsSignals({ path }: CommandSpec): boolean {
  return path === 'start' || path === 'demo' || path === 'worker run';
}

/** Other commands keep nothing that stopping in the middle could break. */
function endWhenInterrupted({ signals, exit }: ProcessContext): void {
  signals.once('SIGINT', () => exit(EXIT_CODES.interrupted));
}

function tell({ exit, code, message, mistakes, hint }: Exit, out: Output): void {
  if (message === '') return;
  if (out.json) {
    out.say(JSON.stringify({ error: { code, message, mistakes, hint: hint ?? null, exit } }));
    return;
  }
  const placed = mistakes.find((mistake) => mistake.endsWith(`: ${message}`));
  out.say(`${out.colours.red('guildhall:')} ${placed ?? message}`);
  for (const mistake of mistakes) {
    if (mistake !== placed && !isSaid(mistake, message)) out.say(`  ${mistake}`);
  }
  if (hint !== undefined) out.say(out.colours.dim(hint));
}

/** The only mistake of a request is its message as well, without the colon after the place. */
function isSaid(mistake: string, message: string): boolean {
  return message === mistake || message === mistake.replace(': ', ' ');
}
