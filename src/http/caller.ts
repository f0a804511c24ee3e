import { nameOf, type WorkerId } from '../domain/ids.ts';

/** Who a request comes from. */
export type Caller =
  | { readonly kind: 'operator' | 'viewer' | 'joiner'; readonly name: string }
  | { readonly kind: 'worker'; readonly worker: WorkerId }
  /** Where the operator chose to trust everybody. */
  | { readonly kind: 'anyone' };

export const ANYONE: Caller = { kind: 'anyone' };

/** How the caller is named in events. */
export function actorOf(caller: Caller): string {
  switch (caller.kind) {
    case 'worker':
      return `worker:${nameOf('worker', caller.worker)}`;
    case 'anyone':
      return 'anyone';
    default:
      return `${caller.kind}:${caller.name}`;
  }
}

/** The worker whose token was shown; null where tokens are not asked for. */
export function workerOf(caller: Caller): WorkerId | null {
  return caller.kind === 'worker' ? caller.worker : null;
}
