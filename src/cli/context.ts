import { type Client, createClient } from '../api/client.ts';
import { loadConfig } from '../config/load.ts';
import type { Cli } from './command.ts';
import { findHall, type Reach } from './find-hall.ts';
import type { Output } from './output.ts';
import type { ParsedInput } from './parsed-input.ts';
import type { PrintedCommands } from './printed-commands.ts';
import type { ProcessContext } from './process-context.ts';

interface Context {
  readonly cli: Cli;
  /** The hall that the command called, if it did. */
  readonly reach: () => Reach | undefined;
}

/** Creates what a command needs from what was typed. Reads nothing until the command needs it. */
export function createContext(
  input: ParsedInput,
  out: Output,
  { context, printed }: { readonly context: ProcessContext; readonly printed: PrintedCommands },
): Context {
  const { environment, cwd } = context;
  let reach: Reach | undefined;
  let client: Client | undefined;
  const flags = { data: input.text('data'), listen: input.text('listen') };
  const load = (part: 'all' | 'hall', secrets?: 'optional') =>
    loadConfig({ config: input.text('config'), flags, environment, cwd, part, secrets });
  const hall = () => load('hall').hall;

  function resolveReach(): Reach {
    const url = input.text('url') ?? input.text('hall');
    const token = input.text('token');
    reach ??= findHall({ url, token, environment, cwd, command: printed.command, hall });
    return reach;
  }

  function openClient(): Client {
    const { url, token } = resolveReach();
    client ??= createClient({ url, ...(token && { token }) });
    return client;
  }

  return {
    cli: {
      ...context,
      ...printed,
      out,
      hall,
      client: openClient,
      reach: resolveReach,
      config: () => load('all'),
      inspectedConfig: () => load('all', 'optional'),
    },
    reach: () => reach,
  };
}
