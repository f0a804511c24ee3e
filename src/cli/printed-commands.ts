import { resolve } from 'node:path';
import type { CommandEntry } from './command.ts';
import { commandName, userFolder } from './command-name.ts';
import type { ParsedInput } from './parsed-input.ts';
import type { ProcessContext } from './process-context.ts';
import { shellQuote } from './shell-quote.ts';

/** Prints commands to be typed: with the name and the options by which the user reached this hall. */
export interface PrintedCommands {
  /** `command('task why', 't-12')`. */
  readonly command: (path: string, ...rest: readonly string[]) => string;
  /** A text that names commands in their plain form, `guildhall task why t-12`, as the hall writes them. */
  readonly localized: (text: string) => string;
  /** The same for the hall of another configuration file. */
  readonly withConfig: (file: string) => PrintedCommands;
}

interface Options {
  readonly commands: readonly CommandEntry[];
  readonly context: Pick<ProcessContext, 'environment' | 'cwd' | 'script'>;
  /** Undefined before the options are parsed. */
  readonly input?: ParsedInput;
}

export function createPrintedCommands({ commands, context, input }: Options): PrintedCommands {
  const name = commandName(context);
  const uses = new Map(commands.map((spec) => [spec.path, spec.uses]));
  const options = input ? typedOptions(input, context) : { folder: [], hall: [] };
  const plain = plainCommands([...uses.keys()]);
  return printWith({ name, uses, plain, options });
}

interface Printing {
  readonly name: string;
  readonly uses: ReadonlyMap<string, CommandEntry['uses']>;
  readonly plain: RegExp;
  readonly options: HallOptions;
}

/** By what a command works on. */
interface HallOptions {
  readonly folder: readonly string[];
  readonly hall: readonly string[];
}

function printWith(printing: Printing): PrintedCommands {
  const { name, uses, plain, options } = printing;

  function command(path: string, ...rest: readonly string[]): string {
    const works = uses.get(path) ?? 'nothing';
    return [name, path, ...(works === 'nothing' ? [] : options[works]), ...rest].join(' ');
  }

  return {
    command,
    // The options stand before the arguments: where those end cannot be seen in a sentence.
    localized: (text) => text.replace(plain, (_, path: string) => command(path)),
    withConfig: (file) => {
      const config = ['--config', shellQuote(file)];
      return printWith({ ...printing, options: { folder: config, hall: config } });
    },
  };
}

/** The options that select a hall. A token is a secret and never printed. */
function typedOptions(
  input: ParsedInput,
  context: Pick<ProcessContext, 'environment' | 'cwd'>,
): HallOptions {
  const isMoved = userFolder(context) !== context.cwd;
  const option = (flag: string, value: string | undefined) =>
    value === undefined ? [] : [flag, shellQuote(value)];
  const path = (flag: string, value: string | undefined) =>
    option(flag, value !== undefined && isMoved ? resolve(context.cwd, value) : value);
  const folder = [...path('--config', input.text('config')), ...path('--data', input.text('data'))];
  return { folder, hall: [...option('--url', input.text('url') ?? input.text('hall')), ...folder] };
}

/** Longer paths first, so that `task add` is not read as a command `task`. */
function plainCommands(paths: readonly string[]): RegExp {
  const longest = paths.toSorted((a, b) => b.length - a.length);
  return new RegExp(`(?<!npx )(?<![\\w./-])guildhall (${longest.join('|')})(?![\\w-])`, 'g');
}
