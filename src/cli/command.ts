import type { Client } from '../api/client.ts';
import type { Config, HallSettings } from '../config/config.ts';
import type { Reach } from './find-hall.ts';
import type { Output } from './output.ts';
import type { ParsedInput } from './parsed-input.ts';
import type { PrintedCommands } from './printed-commands.ts';
import type { ProcessContext } from './process-context.ts';

/** The environment of a command. */
export interface Cli extends ProcessContext, PrintedCommands {
  readonly out: Output;
  /** A client of the hall named by options or environment, else of the one on this machine. */
  readonly client: () => Client;
  /** Where that hall is, and the token for its API. */
  readonly reach: () => Promise<Reach>;
  /** The settings of the hall on this machine; the rest of the configuration is not read. */
  readonly hall: () => Promise<HallSettings>;
  readonly config: () => Promise<Config>;
  /** The same, without the secrets that only a hall needs that starts. */
  readonly inspectedConfig: () => Promise<Config>;
}

export interface OptionSpec {
  /** `--size <size>`, `-l, --label <label>`. */
  readonly flags: string;
  readonly about: string;
  readonly choices?: readonly string[];
  /** It may be repeated. */
  readonly many?: true;
}

interface ArgumentSpec {
  /** `<task>`, `[file]`, `[words...]`. */
  readonly usage: string;
  readonly about: string;
}

/** A command before its module is loaded: a process runs one of them and loads no other. */
export interface CommandEntry {
  /** `task add`. */
  readonly path: string;
  /** What the command works on: a hall over its API, the data folder on this machine, or neither. */
  readonly uses: 'hall' | 'folder' | 'nothing';
  readonly load: () => Promise<CommandSpec>;
}

export type LoadedCommand = Omit<CommandEntry, 'load'> & CommandSpec;

export interface CommandSpec {
  readonly summary: string;
  readonly arguments?: readonly ArgumentSpec[];
  readonly options?: readonly OptionSpec[];
  readonly examples: readonly string[];
  /** Returns the exit code if it is not 0. */
  readonly run: (cli: Cli, input: ParsedInput) => Promise<number | undefined> | Promise<void>;
}
