import { StoreFailed, StoreUnavailable } from '../ports/store.ts';

/** The text of a fault for readers of the health. The message of a library may hold anything, even a secret. */
export function shownFault(fault: unknown): string | undefined {
  const isOurs = fault instanceof StoreFailed || fault instanceof StoreUnavailable;
  return isOurs ? fault.message : undefined;
}
