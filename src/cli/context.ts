import { type Client, createClient } from '../api/client.ts';
import { findData } from '../config/find-data.ts';
import type { Cli } from './command.ts';
import { findHall, type Reach } from './find-hall.ts';
import type { Output } from './output.ts';
import type { ParsedInput } from './parsed-input.ts';
import type { PrintedCommands } from './printed-commands.ts';
import type { ProcessContext } from './process-context.ts';
import { sendRequest } from './send-request.ts';

interface Context {
  readonly cli: Cli;
  /** The hall that the command called, if it did. */
  readonly reach: () => Reach | undefined;
}

/** Creates what a command needs from what was typed. Reads and loads nothing until the command needs it. */
export function createContext(
  input: ParsedInput,
  out: Output,
  { context, printed }: { readonly context: ProcessContext; readonly printed: PrintedCommands },
): Context {
  const { environment, cwd } = context;
  let reach: Reach | undefined;
  const flags = { data: input.text('data'), listen: input.text('listen') };
  const location = { config: input.text('config'), flags, environment, cwd };
  const load = async (part: 'all' | 'hall', secrets?: 'optional') => {
    const { loadConfig } = await import('../config/load.ts');
    return loadConfig({ ...location, part, secrets });
  };
  const hall = async () => (await load('hall')).hall;

  async function resolveReach(): Promise<Reach> {
    const url = input.text('url') ?? input.text('hall');
    const token = input.text('token');
    const { command } = printed;
    const quick = () => findData(location);
    reach ??= await findHall({ url, token, environment, cwd, command, quick, hall });
    return reach;
  }

  const client = openLater(async () => {
    const { url, token } = await resolveReach();
    return createClient({ url, ...(token && { token }), send: sendRequest });
  });

  return {
    cli: {
      ...context,
      ...printed,
      out,
      hall,
      client: () => client,
      reach: resolveReach,
      config: () => load('all'),
      inspectedConfig: () => load('all', 'optional'),
    },
    reach: () => reach,
  };
}

/** A client that is opened by its first call. */
function openLater(open: () => Promise<Client>): Client {
  let opened: Promise<Client> | undefined;
  const client = () => {
    opened ??= open();
    return opened;
  };
  return {
    call: async (operation, ...input) => (await client()).call(operation, ...input),
    async *events(input) {
      yield* (await client()).events(input);
    },
  };
}
