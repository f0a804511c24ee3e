import { resolve } from 'node:path';
import type { Cli, CommandSpec } from './command.ts';
import { plural } from './plural.ts';

export const IMPORT: CommandSpec = {
  path: 'import',
  summary: 'import an exported event log into an empty store and build the board from it',
  uses: 'folder',
  arguments: [
    { usage: '<file>', about: 'file written by "guildhall export"; "-" reads standard input' },
  ],
  examples: [
    'guildhall import hall.ndjson --data ./copy',
    'GUILDHALL_STORE=postgres://hall@db/hall guildhall import hall.ndjson',
  ],
  run: async (cli, input) => {
    const { withInput } = await import('../main/exported-lines.ts');
    const file = input.argument(0);
    if (file === '-') await withInput(cli.stdin(), (copy) => importFrom(copy, cli));
    else await importFrom(resolve(cli.cwd, file), cli);
  },
};

async function importFrom(file: string, { hall, out }: Cli): Promise<void> {
  const { importLog } = await import('../main/import-log.ts');
  const { exportedLines } = await import('../main/exported-lines.ts');
  const { openStore } = await import('../main/open-store.ts');
  const { storeNeeds: quietNeeds } = await import('../main/store-options.ts');
  const opened = await openStore(hall(), quietNeeds(out.warn));
  try {
    const lines = () => exportedLines(file);
    const head = await importLog(lines, opened, (step, seq) => {
      if (seq % 100 === 0) out.progress(`event ${seq} ${step}`);
    });
    const facts = { events: head.seq, link: head.link };
    out.answer(facts, () => `${plural(head.seq, 'event')} imported`);
  } finally {
    await opened.store.close();
  }
}
