import type { Client } from '../api/client.ts';
import type { Config, HallSettings } from '../config/config.ts';
import type { Reach } from './find-hall.ts';
import type { Output } from './output.ts';
import type { ParsedInput } from './parsed-input.ts';
import type { ProcessContext } from './process-context.ts';

/** What a command has around it. */
export interface Cli extends ProcessContext {
  readonly out: Output;
  /** How this program is called here: `guildhall`, `npx guildhall` or its path. */
  readonly self: string;
  /** A client of the hall that was asked for, or of the one on this machine. */
  readonly client: () => Client;
  /** Where that hall is, and with which token it is asked. */
  readonly reach: () => Reach;
  /** How the hall on this machine is run; the rest of the configuration is not looked at. */
  readonly hall: () => HallSettings;
  readonly config: () => Config;
}

export interface OptionSpec {
  /** `--size <size>`, `-l, --label <label>`. */
  readonly flags: string;
  readonly about: string;
  readonly choices?: readonly string[];
  /** It may be typed several times. */
  readonly many?: true;
}

interface ArgumentSpec {
  /** `<task>`, `[file]`, `[words...]`. */
  readonly usage: string;
  readonly about: string;
}

export interface CommandSpec {
  /** `task add`. */
  readonly path: string;
  readonly summary: string;
  /** Who is asked: a hall over its API, the data folder on this machine, or nobody. */
  readonly asks: 'hall' | 'folder' | 'nobody';
  readonly arguments?: readonly ArgumentSpec[];
  readonly options?: readonly OptionSpec[];
  readonly examples: readonly string[];
  /** Answers the exit code where it is not 0. */
  readonly run: (cli: Cli, given: ParsedInput) => Promise<number | undefined> | Promise<void>;
}
