import type { Ledger } from '../checks/ledger.ts';
import type { Request } from '../hall/message.ts';
import type { World } from '../world/world.ts';
import type { Link } from './link.ts';
import { POOL_ASKS } from './pool-asks.ts';
import { posting } from './post-asks.ts';
import type { Stage } from './stage.ts';
import { STEERING_ASKS } from './steering-asks.ts';
import { TOOL_ASKS } from './tool-asks.ts';

/** Everything an operator can do; each is made up when its turn comes, or not if there is nothing to do it to. */
const ASKS = {
  post: posting,
  ...STEERING_ASKS,
  ...POOL_ASKS,
  ...TOOL_ASKS,
} as const satisfies Record<string, (desk: Desk, key: string) => Request | undefined>;

export type Deed = keyof typeof ASKS | 'repeat';
export type Deeds = Readonly<Partial<Record<Deed, number>>>;

export interface Desk {
  readonly world: World;
  readonly ledger: Ledger;
  readonly stage: Stage;
}

interface Needs extends Desk {
  readonly link: Link;
  readonly deeds: Deeds;
  readonly every: readonly [least: number, most: number];
  readonly isCalm: () => boolean;
}

/**
 * A person or a script at the API: does one thing after the other until the storm is over. A script
 * that was restored from somewhere repeats what it asked long ago, under the same key.
 */
export async function operate(needs: Needs): Promise<void> {
  const { world, link, deeds, every } = needs;
  const asked: Request[] = [];
  await link.pause(world.random.between(0, 500));
  while (!needs.isCalm()) {
    const deed = world.random.weighted<Deed>(deeds);
    const request = deed === 'repeat' ? world.random.any(asked) : ASKS[deed](needs, link.key());
    if (request) {
      await link.ask(request);
      asked.push(request);
    }
    await link.pause(world.random.between(every[0], every[1]));
  }
}
