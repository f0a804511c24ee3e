import { nameOf, type WorkerId } from '../domain/ids.ts';

/** The sender of a request. */
export type Caller =
  | { readonly kind: 'operator' | 'viewer' | 'joiner'; readonly name: string }
  | { readonly kind: 'worker'; readonly worker: WorkerId }
  /** Used when the operator turned authentication off. */
  | { readonly kind: 'anyone' };

export const ANYONE: Caller = { kind: 'anyone' };

/** The caller's name in events. */
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

/** The worker that the token belongs to; null where no tokens are required. */
export function workerOf(caller: Caller): WorkerId | null {
  return caller.kind === 'worker' ? caller.worker : null;
}
