import type { RunLease } from './hall-client.ts';

/** Opens the proxies of a cell, each on a host socket. */
export interface RunProxies {
  /** Forwards a run's model calls to the hall. Calls `onStale` when the hall says the run is no longer ours. */
  openGateway(plan: { readonly lease: RunLease; readonly onStale: () => void }): Promise<Gateway>;
  /** Lets programs reach the listed hosts and no others. */
  openEgress(plan: {
    readonly hosts: readonly string[];
    readonly log: (line: string) => void;
  }): Promise<Egress>;
}

export interface Gateway extends AsyncDisposable {
  readonly socket: string;
  /** Lets the agent of this run use this gateway, and nothing else. */
  readonly token: string;
  /** How model calls went. Trust this about failures, not the agent. */
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
