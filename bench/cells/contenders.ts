import { type Contender, readCycles, topUp, warmUp } from '../contender.ts';
import type { CycleOptions, Place } from '../drivers/driver.ts';
import type { Lab, OurHallOptions, Ours, PeerKind } from '../lab.ts';
import type { Read } from '../measuring/rounds.ts';
import { amount } from '../report/print-row.ts';

/** Opens our hall for the duration of a cell. */
export async function openOurs(
  lab: Lab,
  stack: AsyncDisposableStack,
  options: OurHallOptions,
): Promise<Ours & { closed(): Promise<void> }> {
  const ours = await lab.hall(options);
  let open = true;
  const closed = async () => {
    if (open) {
      open = false;
      await ours.close();
    }
  };
  stack.defer(closed);
  return { ...ours, closed };
}

export interface Found {
  readonly peers: readonly Contender[];
  readonly leftOut: readonly string[];
}

export async function openPeers(
  lab: Lab,
  stack: AsyncDisposableStack,
  kinds: readonly (PeerKind | readonly [PeerKind, Partial<Place>])[],
): Promise<Found> {
  const peers: Contender[] = [];
  const leftOut: string[] = [];
  for (const each of kinds) {
    const [kind, place] = typeof each === 'string' ? [each, {}] : each;
    const peer = await lab.peer(kind, place);
    if ('missing' in peer) {
      leftOut.push(`${kind}: ${peer.missing}`);
      continue;
    }
    stack.defer(() => peer.close());
    peers.push(peer);
  }
  return { peers, leftOut };
}

/** Runs each contender for as many cycles as a reading needs before it. */
export async function warmUpAll(
  lab: Lab,
  contenders: readonly Contender[],
  options: CycleOptions,
): Promise<void> {
  const { warmUpCycles } = lab.options.sizes;
  for (const contender of contenders) {
    lab.progress.say(
      `  ${contender.name}: warming up, ${warmUpCycles.toLocaleString('en')} cycles`,
    );
    await topUp(contender, warmUpCycles + MARGIN);
    await warmUp(contender, options, warmUpCycles);
  }
}

/** What may be claimed between two looks at the count. */
const MARGIN = 5_000;

/** A reading of claims and completions, reported as soon as it is done. */
export function cycles(
  lab: Lab,
  contender: Contender,
  {
    waiting,
    label,
    ...options
  }: CycleOptions & { readonly waiting: number; readonly label?: string },
): Read {
  return async () => {
    const reading = await readCycles(contender, options, lab.options.sizes, { waiting });
    const fault = reading.void === undefined ? '' : ` (void: ${reading.void})`;
    const name = label === undefined ? contender.name : `${contender.name}, ${label}`;
    lab.progress.say(`  ${name}: ${amount(reading.value, '/s')}${fault}`);
    return reading;
  };
}
