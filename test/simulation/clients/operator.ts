import type { Ledger } from '../checks/ledger.ts';
import type { Request } from '../hall/message.ts';
import type { World } from '../world/world.ts';
import type { DeclaredHall } from './declared-hall.ts';
import type { Link } from './link.ts';
import { OPERATOR_REQUESTS } from './operator-requests.ts';
import { POOL_REQUESTS } from './pool-requests.ts';
import { postRequest } from './post-requests.ts';
import { TOOL_REQUESTS } from './tool-requests.ts';

/** Everything an operator can do; each is made up when its turn comes, or not if there is nothing to do it to. */
const REQUESTS = {
  post: postRequest,
  ...OPERATOR_REQUESTS,
  ...POOL_REQUESTS,
  ...TOOL_REQUESTS,
} as const satisfies Record<
  string,
  (operator: OperatorContext, key: string) => Request | undefined
>;

export type OperatorAction = keyof typeof REQUESTS | 'repeat';
export type OperatorActionWeights = Readonly<Partial<Record<OperatorAction, number>>>;

export interface OperatorContext {
  readonly world: World;
  readonly ledger: Ledger;
  readonly stage: DeclaredHall;
}

interface Needs extends OperatorContext {
  readonly link: Link;
  readonly deeds: OperatorActionWeights;
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
    const deed = world.random.weighted<OperatorAction>(deeds);
    const request = deed === 'repeat' ? world.random.any(asked) : REQUESTS[deed](needs, link.key());
    if (request) {
      await link.request(request);
      asked.push(request);
    }
    await link.pause(world.random.between(every[0], every[1]));
  }
}
