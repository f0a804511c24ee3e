import type { CommandSpec } from '../command.ts';
import { InvalidUsage } from '../invalid-usage.ts';

export const THREAD_REVIEW: CommandSpec = {
  summary: 'review the pull request of a thread, where the hall is the forge',
  arguments: [
    { usage: '<thread>', about: 'the thread, such as th-11' },
    { usage: '[text]', about: 'what has to change, or a comment' },
  ],
  options: [
    { flags: '--approve', about: 'approve the pull request' },
    { flags: '--request-changes', about: 'request changes; an agent will address the comment' },
  ],
  examples: [
    'guildhall thread review th-11 --approve',
    'guildhall thread review th-11 --request-changes "Round to the nearest cent."',
  ],
  run: async ({ client, out }, input) => {
    const isApproved = input.flag('approve');
    if (isApproved === input.flag('requestChanges')) {
      throw new InvalidUsage('give either --approve or --request-changes');
    }
    const verdict = isApproved ? 'approved' : 'changes_requested';
    const thread = await client().call('reviewThread', {
      path: { id: input.argument(0) },
      body: { verdict, text: input.maybe(1) ?? '' },
    });
    out.answer(thread, ({ id }) => `${id}: ${isApproved ? 'approved' : 'changes requested'}`);
  },
};
