import type { CommandSpec } from './command.ts';
import { sayEncrypted } from './secrets-notes.ts';
import { shellQuote } from './shell-quote.ts';
import { targetFile } from './target-file.ts';

export const BACKUP: CommandSpec = {
  summary: 'back up all recorded data to one file, even while the hall runs',
  arguments: [
    {
      usage: '[file]',
      about: 'target file (default: a file in data/backups named after the current time)',
    },
  ],
  examples: ['guildhall backup', 'guildhall backup /mnt/backups/hall.db'],
  run: async ({ hall, out, cwd, command }, input) => {
    const { backUp } = await import('../main/backup.ts');
    const { storeNeeds: quietNeeds } = await import('../main/store-options.ts');
    const typed = input.maybe(0);
    const to = typed === undefined ? undefined : targetFile(cwd, typed);
    const settings = await hall();
    const { file, secrets } = await backUp(to, settings, quietNeeds(out.warn));
    out.answer({ file, encrypted_secrets: secrets.names }, () => file);
    sayEncrypted({ out }, secrets);
    // A PostgreSQL database is replaced only by its own tools.
    const where = settings.store.kind === 'postgres' ? ' to an empty database' : '';
    out.say(out.colours.dim(`restore it${where} with: ${command('restore', shellQuote(file))}`));
  },
};
