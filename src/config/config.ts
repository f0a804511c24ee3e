import type { Declaration } from '../domain/apply-config.ts';
import type { Env } from '../domain/env.ts';
import type { Duration } from '../domain/ids.ts';
import type { SecretUse } from '../domain/secret.ts';
import type { RetryTimes } from '../domain/sources/retry.ts';
import type { MachineVariables } from './machine-variables.ts';
import type { ConfigMistake } from './mistake.ts';
import type { ConfigFile } from './schema.ts';
import type { Address } from './units.ts';

/** The settings of the hall itself. */
export interface HallSettings {
  /** The folder where the hall stores everything; absolute. */
  readonly data: string;
  readonly listen: Address;
  readonly publicUrl: string | null;
  /** Where the other nodes reach this one. */
  readonly nodeUrl: string | null;
  readonly store: { readonly kind: 'sqlite' } | { readonly kind: 'postgres'; readonly url: string };
  readonly auth: ConfigFile['hall']['auth'];
  /** Where the key comes from that encrypts stored secrets. */
  readonly secretsKey: KeyPlace;
  readonly heartbeat: Duration;
  readonly deadAfter: Duration;
  /** How long a stopping hall waits for requests in progress. */
  readonly grace: Duration;
  /** The prefix of the names of containers and their volumes. */
  readonly containerPrefix: string;
  /** How many workers the hall starts on its own machine at most; 0 starts none. */
  readonly mostRecruits: number;
  /** What mirrors and cells of this machine may use together; null means only the disk limits them. */
  readonly diskBudgetBytes: number | null;
  readonly allowedHosts: readonly string[];
  /** How long a person has to answer before a tool call is denied. */
  readonly approvalTimeout: Duration;
  /** How often task sources in folders are read, and how long the hall waits after failures. */
  readonly sources: { readonly poll: Duration } & RetryTimes;
  readonly retention: {
    readonly log: Duration;
    /** Sessions that were not resumed, and work that was not pushed. */
    readonly sessions: Duration;
    readonly work: Duration;
    readonly answers: Duration;
    readonly decisions: Duration;
  };
}

/** Paths are absolute. */
export type KeyPlace =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'command'; readonly command: readonly string[]; readonly cwd: string };

export interface Config extends MachineVariables {
  /** The path of the file as shown to people; null if there is none and the defaults apply. */
  readonly file: string | null;
  /** What paths in the file are relative to, and where the operator's own prompt files are. */
  readonly folder: string;
  /** The folder that paths are shown relative to. */
  readonly cwd: string;
  /** The CA files that this process was told to trust. */
  readonly caVariables: Env;
  readonly hall: HallSettings;
  readonly forges: ConfigFile['forges'];
  readonly declaration: Declaration;
  /** What is wrong with agents.yml. A hall starts all the same, with the personas that it had. */
  readonly catalogMistakes: readonly ConfigMistake[];
  readonly catalogStamp: string;
  /** `$NAME` → the secret it stands for. */
  readonly secrets: ReadonlyMap<string, string>;
  /** Where the calls of each invoker go, and the reference of its credential. */
  readonly accounts: ReadonlyMap<string, { readonly url: string; readonly reference: string }>;
  /** The entries that use a stored secret. */
  readonly secretUses: readonly SecretUse[];
  readonly warnings: readonly string[];
  /** Every setting in effect, with secrets as references, to show to people. */
  readonly shown: ConfigFile;
  /** The settings that do not come from the file, and where each comes from. */
  readonly origins: Readonly<Record<string, string>>;
}
