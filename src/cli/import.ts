import { resolve } from 'node:path';
import type { CommandSpec } from './command.ts';
import { counted } from './counted.ts';

export const IMPORT: CommandSpec = {
  path: 'import',
  summary: 'write an exported history into an empty store, and build the board from it',
  asks: 'folder',
  arguments: [{ usage: '<file>', about: 'made by "guildhall export"; "-" is the input' }],
  examples: [
    'guildhall import hall.ndjson --data ./copy',
    'GUILDHALL_STORE=postgres://hall@db/hall guildhall import hall.ndjson',
  ],
  run: async ({ hall, out, cwd }, input) => {
    const { importLog } = await import('../main/import-log.ts');
    const { exportedLines, holdInput } = await import('../main/exported-lines.ts');
    const { openStore } = await import('../main/open-store.ts');
    const { quietNeeds } = await import('../main/quiet-needs.ts');
    const named = input.argument(0);
    await using held = named === '-' ? await holdInput() : null;
    const file = held?.file ?? resolve(cwd, named);
    const opened = await openStore(hall(), quietNeeds(out.warn));
    try {
      const lines = () => exportedLines(file);
      const head = await importLog(lines, opened, (step, seq) => {
        if (seq % 100 === 0) out.progress(`event ${seq} ${step}`);
      });
      out.answer(
        { events: head.seq, link: head.link },
        () => `${counted(head.seq, 'event')} imported`,
      );
    } finally {
      await opened.store.close();
    }
  },
};
