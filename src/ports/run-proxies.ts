import type { RunLease } from './hall-client.ts';

/** The ways out of a cell, each a socket of the host. */
export interface RunProxies {
  /** Takes model calls of one run to the hall. `stale` is called when the hall says it is not ours any more. */
  openGateway(plan: { readonly lease: RunLease; readonly onStale: () => void }): Promise<Gateway>;
  /** Lets programs reach the hosts of a list and no others. */
  openEgress(plan: {
    readonly hosts: readonly string[];
    readonly log: (line: string) => void;
  }): Promise<Egress>;
}

export interface Gateway extends AsyncDisposable {
  readonly socket: string;
  /** Opens this gateway for the agent of this run, and nothing else. */
  readonly token: string;
  /** What became of the model calls: the truth about failures, whatever the agent says. */
  readonly modelCalls: {
    readonly lastFailure: CallFailure | null;
    readonly resetsAt: number | null;
  };
}

export type CallFailure =
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
