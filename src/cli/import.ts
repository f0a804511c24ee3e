import { resolve } from 'node:path';
import type { Cli, CommandSpec } from './command.ts';
import { plural } from './plural.ts';
import { sayUnreadable } from './secrets-notes.ts';

export const IMPORT: CommandSpec = {
  summary: 'import an exported event log into an empty store and build the board from it',
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

async function importFrom(file: string, { hall, out, command }: Cli): Promise<void> {
  const { importLog } = await import('../main/import-log.ts');
  const { exportedLines } = await import('../main/exported-lines.ts');
  const { inspectSecrets } = await import('../main/stored-secrets.ts');
  const { openStore } = await import('../main/open-store.ts');
  const { storeNeeds: quietNeeds } = await import('../main/store-options.ts');
  const settings = await hall();
  const opened = await openStore(settings, quietNeeds(out.warn));
  try {
    const lines = () => exportedLines(file);
    const head = await importLog(lines, opened, (step, seq) => {
      if (seq % 100 === 0) out.progress(`event ${seq} ${step}`);
    });
    const secrets = await inspectSecrets(opened.store, settings);
    const { unreadable: unreadable_secrets } = secrets;
    const facts = { events: head.seq, link: head.link, unreadable_secrets };
    out.answer(facts, () => `${plural(head.seq, 'event')} imported`);
    sayUnreadable({ out, command }, secrets);
  } finally {
    await opened.store.close();
  }
}
