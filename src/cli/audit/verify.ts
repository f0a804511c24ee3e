import { visible } from '../../api/escape-control-characters.ts';
import type { CommandSpec } from '../command.ts';
import { EXIT_CODES } from '../exit.ts';
import { plural } from '../plural.ts';

export const AUDIT_VERIFY: CommandSpec = {
  summary: 'verify that the event log is intact and that the board matches it',
  examples: ['guildhall audit verify', 'guildhall audit verify --json'],
  run: async ({ hall, out }) => {
    const { verify } = await import('../../main/verify-log.ts');
    const { storeNeeds: quietNeeds } = await import('../../main/store-options.ts');
    const verdict = await verify(await hall(), quietNeeds(out.warn), (events, of) =>
      out.progress(`event ${events} of ${of}`),
    );
    const { events, anchors, rows, faults } = verdict;
    out.answer({ ok: faults.length === 0, ...verdict }, () =>
      faults.length === 0
        ? `the event log is intact: ${plural(events, 'event')} in one chain; ` +
          `${plural(anchors, 'anchor')} and ${plural(rows, 'board row')} match`
        : faults.map(visible).join('\n'),
    );
    return faults.length === 0 ? EXIT_CODES.ok : EXIT_CODES.failed;
  },
};
