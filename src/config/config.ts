import type { Declaration } from '../domain/apply-config.ts';
import type { Duration } from '../domain/ids.ts';
import type { ConfigFile } from './schema.ts';
import type { Address } from './units.ts';

/** How the hall itself is run. */
export interface HallSettings {
  /** The folder that holds everything the hall keeps; absolute. */
  readonly data: string;
  readonly listen: Address;
  readonly publicUrl: string | null;
  /** Where the other halls on the same database reach this one. */
  readonly nodeUrl: string | null;
  readonly store: { readonly kind: 'sqlite' } | { readonly kind: 'postgres'; readonly url: string };
  readonly auth: ConfigFile['hall']['auth'];
  readonly heartbeat: Duration;
  readonly deadAfter: Duration;
  /** How long a stopping hall waits for what is under way. */
  readonly grace: Duration;
  /** What the names of containers and their volumes begin with. */
  readonly containerPrefix: string;
  /** How many workers the hall starts on its own machine at most; 0 starts none. */
  readonly mostRecruits: number;
  /** What mirrors and cells of this machine may take together; null is no budget but the disk. */
  readonly diskBudgetBytes: number | null;
  readonly allowedHosts: readonly string[];
  /** How long a person has to answer before a call of a tool is denied. */
  readonly approvalTimeout: Duration;
  readonly retention: {
    readonly log: Duration;
    /** Conversations that nobody went on with, and work that was not pushed. */
    readonly sessions: Duration;
    readonly work: Duration;
    readonly answers: Duration;
    readonly decisions: Duration;
  };
}

export interface Config {
  /** The file as people call it, or null when there is none and the defaults hold. */
  readonly file: string | null;
  /** What paths in the file are relative to, and where the operator's own sheets are. */
  readonly folder: string;
  /** Where programs are found. */
  readonly path: string;
  readonly hall: HallSettings;
  readonly forges: ConfigFile['forges'];
  readonly declaration: Declaration;
  /** `$NAME` → the secret it stands for. */
  readonly secrets: ReadonlyMap<string, string>;
  /** Where the calls of each invoker go, and with which credential. */
  readonly accounts: ReadonlyMap<string, { readonly url: string; readonly credential: string }>;
  readonly warnings: readonly string[];
  /** Every setting as it holds, secrets as references, for people to look at. */
  readonly shown: ConfigFile;
  /** Which settings do not come from the file, and from what. */
  readonly origins: Readonly<Record<string, string>>;
}
