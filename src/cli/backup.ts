import { resolve } from 'node:path';
import type { CommandSpec } from './command.ts';
import { shellQuote } from './shell-quote.ts';

export const BACKUP: CommandSpec = {
  path: 'backup',
  summary: 'copy everything that is recorded to one file, also while the hall runs',
  asks: 'folder',
  arguments: [
    { usage: '[file]', about: 'where to (default: a file named by the time in data/backups)' },
  ],
  examples: ['guildhall backup', 'guildhall backup /mnt/backups/hall.db'],
  run: async ({ hall, out, cwd, self }, input) => {
    const { backUp } = await import('../main/backup.ts');
    const { storeNeeds: quietNeeds } = await import('../main/store-options.ts');
    const asked = input.maybe(0);
    const to = asked === undefined ? undefined : resolve(cwd, asked);
    const settings = hall();
    const file = await backUp(to, settings, quietNeeds(out.warn));
    out.answer({ file }, () => file);
    // What PostgreSQL holds is replaced by nobody but its own tools.
    const where = settings.store.kind === 'postgres' ? ' on an empty database' : '';
    out.say(out.colours.dim(`put it back${where} with: ${self} restore ${shellQuote(file)}`));
  },
};
