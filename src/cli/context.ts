import { type Client, createClient } from '../api/client.ts';
import { loadConfig } from '../config/load.ts';
import type { Cli } from './command.ts';
import { findHall, type Reach } from './find-hall.ts';
import type { Output } from './output.ts';
import type { ParsedInput } from './parsed-input.ts';
import type { ProcessContext } from './process-context.ts';

interface Context {
  readonly cli: Cli;
  /** The hall that was asked, once one was. */
  readonly reach: () => Reach | undefined;
}

/** Joins what was typed to what a command needs. Nothing is read before a command asks for it. */
export function createContext(
  given: ParsedInput,
  out: Output,
  { context, self }: { readonly context: ProcessContext } & Pick<Cli, 'self'>,
): Context {
  const { environment, cwd } = context;
  let reach: Reach | undefined;
  let client: Client | undefined;
  const flags = { data: given.text('data'), listen: given.text('listen') };
  const load = (part: 'all' | 'hall') =>
    loadConfig({ config: given.text('config'), flags, environment, cwd, part });
  const hall = () => load('hall').hall;

  function reached(): Reach {
    const url = given.text('url') ?? given.text('hall');
    const token = given.text('token');
    reach ??= findHall({ url, token, environment, cwd, self, hall });
    return reach;
  }

  function asking(): Client {
    const { url, token } = reached();
    client ??= createClient({ url, ...(token && { token }) });
    return client;
  }

  return {
    cli: {
      ...context,
      out,
      self,
      hall,
      client: asking,
      reach: reached,
      config: () => load('all'),
    },
    reach: () => reach,
  };
}
