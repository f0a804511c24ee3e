import { resolve } from 'node:path';
import type { CommandSpec } from './command.ts';

export const RESTORE: CommandSpec = {
  path: 'restore',
  summary:
    'go on from a backup, with the database that was there kept aside; an export needs an empty store',
  asks: 'folder',
  arguments: [{ usage: '<file>', about: 'made by "guildhall backup" or "guildhall export"' }],
  examples: ['guildhall restore data/backups/2026-03-01T120000Z.db'],
  run: async ({ hall, out, cwd, self }, input) => {
    const { restore } = await import('../main/restore.ts');
    const { storeNeeds: quietNeeds } = await import('../main/store-options.ts');
    const settings = hall();
    const { from, head, era, aside, partsAfter } = await restore(
      resolve(cwd, input.argument(0)),
      settings,
      quietNeeds(out.warn),
    );
    const facts = {
      from: from.seq,
      head: head.seq,
      link: head.link,
      era,
      aside,
      parts_after: partsAfter,
    };
    out.answer(
      facts,
      () => `restored up to event ${from.seq}; the log goes on at event ${head.seq}`,
    );
    if (partsAfter !== null) out.say(anotherLog(partsAfter));
    if (aside !== null) out.say(`the database that was there is kept as ${aside}`);
    out.say(
      'workers from before must register again, and tokens are those of the backup: ' +
        'revoke again what was revoked since',
    );
    out.say(out.colours.dim(`next: ${self} start`));
  },
};

function anotherLog(partsAfter: number): string {
  if (partsAfter > 0)
    return `after event ${partsAfter} it is another history than the one that was there`;
  return 'it is another history than the one that was there: is it a backup of this hall?';
}
