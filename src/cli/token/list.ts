import type { CommandSpec } from '../command.ts';
import { formatTime } from '../format-time.ts';

export const TOKEN_LIST: CommandSpec = {
  summary: 'list the named tokens',
  examples: ['guildhall token list'],
  run: async ({ client, out }) => {
    out.answer(await client().call('listTokens'), ({ tokens }) =>
      out.table(
        [
          { head: 'TOKEN', cell: ({ name }) => name },
          { head: 'ROLE', cell: ({ role }) => role },
          { head: 'CREATED', cell: ({ created_at }) => formatTime(created_at) },
          { head: 'BY', cell: ({ created_by }) => created_by },
        ],
        tokens,
        'no named tokens',
      ),
    );
  },
};
