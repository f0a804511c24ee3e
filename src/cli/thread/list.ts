import type { CommandSpec } from '../command.ts';
import { given } from '../given.ts';
import { THREAD_COLUMNS } from './columns.ts';

export const THREAD_LIST: CommandSpec = {
  path: 'thread list',
  summary: 'threads, newest first',
  asks: 'hall',
  options: [
    { flags: '--project <project>', about: 'only of this project' },
    { flags: '-n, --limit <count>', about: 'how many at most (default: 50)' },
  ],
  examples: ['guildhall thread list --project shop'],
  run: async ({ client, out }, input) => {
    const query = given({ project: input.text('project'), limit: input.number('limit') });
    out.answer(await client().call('listThreads', { query }), ({ threads }) =>
      out.table(THREAD_COLUMNS, threads, 'no threads'),
    );
  },
};
