import { setTimeout as wait } from 'node:timers/promises';
import { visible, visibleLines } from '../../api/escape-control-characters.ts';
import type { CommandSpec } from '../command.ts';
import { TASK_ARGUMENT } from './columns.ts';

const LOOK_EVERY = 1_000;

export const TASK_LOG: CommandSpec = {
  summary: 'show the transcript of the current or last run of a task',
  arguments: [TASK_ARGUMENT],
  options: [
    { flags: '-f, --follow', about: 'print new entries until interrupted' },
    { flags: '--after <n>', about: 'only entries after this one' },
  ],
  examples: ['guildhall task log t-12', 'guildhall task log t-12 --follow'],
  run: async ({ client, out }, input) => {
    const path = { id: input.argument(0) };
    let after = input.number('after') ?? 0;
    for (;;) {
      const { entries, next } = await client().call('getTaskLog', { path, query: { after } });
      for (const entry of entries) out.next(entry, ({ text }) => visibleLines(text.trimEnd()));
      if (entries.length === 0 && !input.flag('follow')) out.say(emptyText(path.id, after));
      after = entries.at(-1)?.n ?? after;
      if (next !== null) continue;
      if (!input.flag('follow')) return;
      await wait(LOOK_EVERY);
    }
  },
};

function emptyText(task: string, after: number): string {
  const where = after === 0 ? '' : ` after entry ${after}`;
  return `the log of ${visible(task)} is empty${where}`;
}
