import { ForgeFailed } from '../ports/forge.ts';

/** Why a forge did not do something; null when it did. Other faults are bugs, and propagate. */
export async function forgeFault(work: () => Promise<void>): Promise<ForgeFailed | null> {
  try {
    await work();
    return null;
  } catch (fault) {
    if (!(fault instanceof ForgeFailed)) throw fault;
    return fault;
  }
}
