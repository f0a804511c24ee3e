import type { Change } from '../../../src/board/command.ts';
import type { RunId, WorkerId } from '../../../src/domain/ids.ts';
import type { Refusal } from '../../../src/domain/refusal.ts';
import type { Ledger } from '../checks/ledger.ts';

/** What a client asks of the hall. A repeated request is the same object with the same key. */
export interface Request {
  readonly verb: string;
  readonly actor: string;
  /** The request as text: the same key must come with the same text. */
  readonly about: string;
  readonly key?: string;
  readonly change?: Pick<Change<unknown>, 'decide' | 'keys'>;
  /** A claim, alone or after the change. */
  readonly claim?: Claiming;
  /** The worker that asks; being heard is a sign of life. */
  readonly worker?: WorkerId;
  /** The run it is about. */
  readonly run?: RunId;
  /** Checks what must be durable once this was answered with success; returns the fault, if any. */
  readonly proof?: (ledger: Ledger, body: string) => string | undefined;
}

export interface Claiming {
  readonly worker: WorkerId;
  readonly wait: number;
}

export type Reply =
  | { readonly is: 'done'; readonly body: string; readonly next?: Reply; readonly isReplay?: true }
  | { readonly is: 'refused'; readonly refusal: Refusal }
  /** This node is not the leader; the url is the leader's, if known. */
  | { readonly is: 'away'; readonly url: string | undefined }
  | { readonly is: 'failed'; readonly fault: string };
