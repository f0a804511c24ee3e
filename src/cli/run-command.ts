import type { Command } from 'commander';
import type { LoadedCommand } from './command.ts';
import { COMMANDS, commandsFor, loadCommands } from './commands.ts';
import { createContext } from './context.ts';
import { EXIT_CODES, type Exit, exitFor } from './exit.ts';
import type { Reach } from './find-hall.ts';
import { createOutput, type Output } from './output.ts';
import { ParsedInput } from './parsed-input.ts';
import { createPrintedCommands, type PrintedCommands } from './printed-commands.ts';
import type { ProcessContext } from './process-context.ts';
import { createProgram, refuseMissingVerb } from './program.ts';

/** Runs one command and returns its exit code. */
export async function runCommand(
  argv: readonly string[],
  context: ProcessContext,
): Promise<number> {
  const printed = createPrintedCommands({ commands: COMMANDS, context });
  const state: State = {
    exit: EXIT_CODES.ok,
    reach: () => undefined,
    printed,
    isLongRunning: false,
  };
  outliveReaders(context, state);

  const { json, args: typed } = withoutJson(argv);

  try {
    refuseMissingVerb(COMMANDS, typed);
    const commands = await loadCommands(commandsFor(typed));
    const surroundings = { streams: context, ...printed };
    const program = createProgram(COMMANDS, { commands, ...surroundings }, (spec, args, options) =>
      act({ spec, json, input: new ParsedInput(args, options, context.stdin) }, context, state),
    );
    replaceErrors(program, json);
    await program.parseAsync(typed, { from: 'user' });
  } catch (error) {
    const ending = exitFor(error, {
      reach: state.reach(),
      printed: state.printed,
      spec: state.spec,
    });
    const out = state.out ?? createOutput(context, { json, colour: undefined });
    printError(ending, out);
    return ending.exit;
  }
  return state.exit;
}

interface Typed {
  readonly spec: LoadedCommand;
  readonly json: boolean;
  readonly input: ParsedInput;
}

async function act(
  { spec, json, input }: Typed,
  context: ProcessContext,
  state: State,
): Promise<void> {
  const colour = input.choice('color') === false ? false : undefined;
  const out = createOutput(context, { json, colour });
  const selecting = spec.uses === 'hall' ? input : input.without('url', 'hall', 'token');
  state.printed = createPrintedCommands({ commands: COMMANDS, context, input: selecting });
  const { cli, reach } = createContext(selecting, out, { context, printed: state.printed });
  state.spec = spec;
  state.out = out;
  state.reach = reach;
  state.isLongRunning = handlesSignals(spec);
  if (!state.isLongRunning) endWhenInterrupted(context);
  state.exit = (await spec.run(cli, input)) ?? EXIT_CODES.ok;
}

/** --json may stand before or after the command, and also counts when the command is wrong. */
function withoutJson(argv: readonly string[]): { json: boolean; args: string[] } {
  const end = argv.indexOf('--');
  const options = end < 0 ? argv : argv.slice(0, end);
  const args = options.filter((arg) => arg !== '--json');
  return {
    json: args.length < options.length,
    args: [...args, ...argv.slice(options.length)],
  };
}

/** All errors are printed in one form; with --json, no help is printed with them. */
function replaceErrors(command: Command, json: boolean): void {
  command.configureOutput({
    outputError: () => undefined,
    ...(json && { writeErr: () => undefined }),
  });
  for (const below of command.commands) replaceErrors(below, json);
}

interface State {
  exit: number;
  reach: () => Reach | undefined;
  printed: PrintedCommands;
  out?: Output;
  spec?: LoadedCommand;
  /** Whether it runs until it is stopped. */
  isLongRunning: boolean;
}

/**
 * A reader that closes the pipe, as `head` does, is not a failure. Long-running commands ignore it: a
 * hall must not end because its log collector restarted or its terminal was closed.
 */
function outliveReaders(
  { stdout, stderr, exit }: ProcessContext,
  state: Pick<State, 'isLongRunning'>,
): void {
  for (const stream of [stdout, stderr]) {
    stream.on('error', (fault: NodeJS.ErrnoException) => {
      if (fault.code !== 'EPIPE' && fault.code !== 'EIO') throw fault;
      if (!state.isLongRunning) exit(EXIT_CODES.ok);
    });
  }
}

/** These have processes to end or files to clean up when they are stopped. */
function handlesSignals({ path }: LoadedCommand): boolean {
  return path === 'start' || path === 'demo' || path === 'worker run';
}

/** Other commands can be interrupted at any point. */
function endWhenInterrupted({ signals, exit }: ProcessContext): void {
  signals.once('SIGINT', () => exit(EXIT_CODES.interrupted));
}

function printError({ exit, code, message, mistakes, hint }: Exit, out: Output): void {
  if (message === '') return;
  if (out.json) {
    out.say(JSON.stringify({ error: { code, message, mistakes, hint: hint ?? null, exit } }));
    return;
  }
  const placed = mistakes.find((mistake) => mistake.endsWith(`: ${message}`));
  out.say(`${out.colours.red('guildhall:')} ${placed ?? message}`);
  for (const mistake of mistakes) {
    if (mistake !== placed && !isRepeated(mistake, message)) out.say(`  ${mistake}`);
  }
  if (hint !== undefined) out.say(out.colours.dim(hint));
}

/** The only mistake of a request is also its message, without the colon after the path. */
function isRepeated(mistake: string, message: string): boolean {
  return message === mistake || message === mistake.replace(': ', ' ');
}
