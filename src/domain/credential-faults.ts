import type { Board } from './board.ts';
import { type Decision, decide } from './decision.ts';
import type { HallEvent } from './event.ts';

/** By handle: why the credential of an invoker cannot be read. */
export type CredentialFaults = ReadonlyMap<string, string>;

/** An invoker without its credential pays for no run, so that none starts and fails for lack of a model. */
export function noteCredentialFaults(board: Board, faults: CredentialFaults): Decision<number> {
  const events = [...board.invokers.values()].flatMap(
    ({ handle, credentialFault }): HallEvent[] => {
      const because = faults.get(handle) ?? null;
      if (because === (credentialFault ?? null)) return [];
      if (because === null) return [{ type: 'InvokerCredentialFound', invoker: handle }];
      return [{ type: 'InvokerCredentialMissing', invoker: handle, because }];
    },
  );
  return decide(events.length, events);
}
