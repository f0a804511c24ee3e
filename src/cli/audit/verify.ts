import { visible } from '../../api/visible.ts';
import type { CommandSpec } from '../command.ts';
import { counted } from '../counted.ts';
import { EXIT } from '../ending.ts';

export const AUDIT_VERIFY: CommandSpec = {
  path: 'audit verify',
  summary: 'prove that the history was not changed and that the board follows from it',
  asks: 'folder',
  examples: ['guildhall audit verify', 'guildhall audit verify --json'],
  run: async ({ hall, out }) => {
    const { verify } = await import('../../main/verify.ts');
    const { quietNeeds } = await import('../../main/quiet-needs.ts');
    const verdict = await verify(hall(), quietNeeds(out.warn), (events, of) =>
      out.progress(`event ${events} of ${of}`),
    );
    const { events, anchors, rows, faults } = verdict;
    out.answer({ ok: faults.length === 0, ...verdict }, () =>
      faults.length === 0
        ? `the history is sound: ${counted(events, 'event')} in one chain, as ${counted(anchors, 'anchor')} ` +
          `and ${counted(rows, 'row')} of the board say`
        : faults.map(visible).join('\n'),
    );
    return faults.length === 0 ? EXIT.ok : EXIT.failed;
  },
};
