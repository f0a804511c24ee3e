import type { CommandSpec } from '../command.ts';
import { MORE_HINT, PAGE_OPTIONS, readPages, reportPartialList } from '../pages.ts';
import { parseInput } from '../parsed-input.ts';
import { THREAD_COLUMNS } from './columns.ts';

export const THREAD_LIST: CommandSpec = {
  summary: 'list threads, newest first',
  options: [{ flags: '-p, --project <project>', about: 'only this project' }, ...PAGE_OPTIONS],
  examples: ['guildhall thread list --project shop', 'guildhall thread list --all --json'],
  run: async ({ client, out }, input) => {
    const filter = parseInput({ project: input.text('project') });
    const listed = await readPages(input, async (page) => {
      const { threads, next } = await client().call('listThreads', {
        query: { ...filter, ...page },
      });
      return { rows: threads, next };
    });
    const { rows: threads, next } = listed;
    out.answer({ threads, next }, () => out.table(THREAD_COLUMNS, threads, 'no threads'));
    reportPartialList(listed, out, MORE_HINT);
  },
};
