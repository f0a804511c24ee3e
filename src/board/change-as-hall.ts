import type { Change } from './command.ts';
import type { Hall } from './hall.ts';

/** Records what the hall found about pull requests, while this node leads. */
export async function changeAsHall<A>(hall: Hall, decide: Change<A>['decide']): Promise<void> {
  const meta = { actor: 'hall', cause: 'pull request' };
  await hall.leading()?.writer.change({ meta, decide });
}
