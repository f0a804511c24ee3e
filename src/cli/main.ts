import { type Command, CommanderError } from 'commander';
import { readEnvironment } from '../config/load.ts';
import type { CommandSpec } from './command.ts';
import { COMMANDS } from './commands.ts';
import { createContext } from './context.ts';
import { type Ending, EXIT, endingOf } from './ending.ts';
import type { Reach } from './find-hall.ts';
import { Given } from './given.ts';
import { createOutput, type Output } from './output.ts';
import { createProgram } from './program.ts';

/** Runs one command and answers its exit code. */
export async function main(argv: string[]): Promise<number> {
  const environment = readEnvironment();
  const state: State = { exit: EXIT.ok, reach: () => undefined };
  outliveReaders();

  const program = createProgram(COMMANDS, async (spec, args, options) => {
    const given = new Given(args, options);
    const wishes = {
      json: given.flag('json'),
      colour: given.choice('color') === false ? false : undefined,
    };
    const out = createOutput(process, environment, wishes);
    const { cli, reach } = createContext(given, out, { environment, cwd: process.cwd() });
    state.out = out;
    state.reach = reach;
    if (!mindsSignals(spec)) endWhenInterrupted();
    state.exit = (await spec.run(cli, given)) ?? EXIT.ok;
  });

  const json = argv.includes('--json');
  if (json) hush(program);
  try {
    await program.parseAsync(argv, { from: 'user' });
  } catch (error) {
    const ending = endingOf(error, state.reach());
    const out = state.out ?? createOutput(process, environment, { json, colour: undefined });
    if (json || !(error instanceof CommanderError)) tell(ending, out);
    return ending.exit;
  }
  return state.exit;
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
}

/** Nobody reads any more, as after `| head`: that is no failure. */
function outliveReaders(): void {
  process.stdout.on('error', (fault: NodeJS.ErrnoException) => {
    if (fault.code !== 'EPIPE') throw fault;
    process.exit(EXIT.ok);
  });
}

/** A hall drains when it is told to stop. */
function mindsSignals({ path }: CommandSpec): boolean {
  return path === 'start';
}

/** Other commands keep nothing that stopping in the middle could break. */
function endWhenInterrupted(): void {
  process.once('SIGINT', () => process.exit(EXIT.interrupted));
}

function tell({ exit, code, message, mistakes, hint }: Ending, out: Output): void {
  if (message === '') return;
  if (out.json) {
    out.say(JSON.stringify({ error: { code, message, mistakes, hint: hint ?? null, exit } }));
    return;
  }
  out.say(`${out.colours.red('guildhall:')} ${message}`);
  for (const mistake of mistakes) out.say(`  ${mistake}`);
  if (hint !== undefined) out.say(out.colours.dim(hint));
}
