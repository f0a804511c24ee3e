import type { CommandSpec } from '../command.ts';
import { InvalidUsage } from '../invalid-usage.ts';

export const THREAD_REVIEW: CommandSpec = {
  path: 'thread review',
  summary: 'review its pull request, where the hall is the forge',
  asks: 'hall',
  arguments: [
    { usage: '<thread>', about: 'the thread, such as th-11' },
    { usage: '[text]', about: 'what has to change, or a word of praise' },
  ],
  options: [
    { flags: '--approve', about: 'it may be merged' },
    { flags: '--request-changes', about: 'an agent addresses what the text says' },
  ],
  examples: [
    'guildhall thread review th-11 --approve',
    'guildhall thread review th-11 --request-changes "Round to the nearest cent."',
  ],
  run: async ({ client, out }, input) => {
    const isApproved = input.flag('approve');
    if (isApproved === input.flag('requestChanges')) {
      throw new InvalidUsage('say one of --approve and --request-changes');
    }
    const verdict = isApproved ? 'approved' : 'changes_requested';
    const thread = await client().call('reviewThread', {
      path: { id: input.argument(0) },
      body: { verdict, text: input.maybe(1) ?? '' },
    });
    out.answer(thread, ({ id }) => `${id} is ${isApproved ? 'approved' : 'to be changed'}`);
  },
};
