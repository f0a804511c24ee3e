import { resolve } from 'node:path';
import type { CommandSpec } from './command.ts';
import { sayUnreadable } from './secrets-notes.ts';

export const RESTORE: CommandSpec = {
  summary:
    'restore a backup, setting the previous database aside; an export can be restored only into an empty store',
  arguments: [
    { usage: '<file>', about: 'file written by "guildhall backup" or "guildhall export"' },
  ],
  options: [
    {
      flags: '--force',
      about: 'restore a backup of another hall too; the replaced database is kept',
    },
  ],
  examples: ['guildhall restore data/backups/2026-03-01T120000Z.db'],
  run: async ({ hall, out, cwd, command }, input) => {
    const { restore } = await import('../main/restore.ts');
    const { storeNeeds: quietNeeds } = await import('../main/store-options.ts');
    const settings = await hall();
    const { from, head, era, aside, partsAfter, secrets } = await restore(
      resolve(cwd, input.argument(0)),
      settings,
      { ...quietNeeds(out.warn), force: input.flag('force') },
    );
    const facts = {
      from: from.seq,
      head: head.seq,
      link: head.link,
      era,
      aside,
      parts_after: partsAfter,
      unreadable_secrets: secrets.unreadable,
    };
    out.answer(
      facts,
      () => `restored up to event ${from.seq}; the log continues at event ${head.seq}`,
    );
    if (partsAfter !== null) out.say(anotherLog(partsAfter));
    sayUnreadable({ out, command }, secrets);
    if (aside !== null) out.say(`the previous database is kept as ${aside}`);
    out.say(
      'workers must register again, and tokens are those of the backup: ' +
        'any that were revoked since then must be revoked again',
    );
    out.say(out.colours.dim(`next: ${command('start')}`));
  },
};

function anotherLog(partsAfter: number): string {
  if (partsAfter > 0) return `after event ${partsAfter} the backup differs from the previous log`;
  return 'the backup has nothing in common with the previous log: is it a backup of this hall?';
}
