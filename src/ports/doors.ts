import type { Held } from './desk.ts';

/** The ways out of a cell, each a socket of the host. */
export interface Doors {
  /** Takes model calls of one run to the hall. `stale` is called when the hall says it is not ours any more. */
  gateway(plan: { readonly lease: Held; readonly stale: () => void }): Promise<Gateway>;
  /** Lets programs reach the hosts of a list and no others. */
  egress(plan: {
    readonly hosts: readonly string[];
    readonly said: (line: string) => void;
  }): Promise<Egress>;
}

export interface Gateway extends AsyncDisposable {
  readonly socket: string;
  /** Opens this gateway for the agent of this run, and nothing else. */
  readonly token: string;
  /** What became of the model calls: the truth about failures, whatever the agent says. */
  readonly seen: {
    readonly lastFailure: SeenFailure | null;
    readonly resetsAt: number | null;
  };
}

export type SeenFailure =
  | 'quota'
  | 'auth'
  | 'overloaded'
  | 'ceiling'
  | 'stale_fence'
  | 'refused'
  /** The hall itself could not be reached. */
  | 'away';

interface Egress extends AsyncDisposable {
  readonly socket: string;
}
