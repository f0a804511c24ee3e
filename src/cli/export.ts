import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { CommandSpec } from './command.ts';
import { plural } from './plural.ts';
import { sayEncrypted } from './secrets-notes.ts';
import { targetFile } from './target-file.ts';

export const EXPORT: CommandSpec = {
  summary: 'export the event log as JSON lines, with the hashes and links that prove its integrity',
  options: [
    { flags: '-o, --output <file>', about: 'write to this file instead of standard output' },
  ],
  examples: ['guildhall export --output hall.ndjson', 'guildhall export | gzip > hall.ndjson.gz'],
  run: async ({ hall, out, cwd, stdout }, input) => {
    const { exportLog } = await import('../main/export-log.ts');
    const { inspectSecrets } = await import('../main/stored-secrets.ts');
    const { openReads } = await import('../main/open-store.ts');
    const { storeNeeds: quietNeeds } = await import('../main/store-options.ts');
    // Not `await using`: in a function that has it, the compiler does not rewrite the extensions of imports.
    const file = input.text('output');
    const to = file === undefined ? undefined : targetFile(cwd, file);
    const settings = await hall();
    const opened = await openReads(settings, quietNeeds(out.warn));
    try {
      const secrets = await inspectSecrets(opened.reads, settings);
      const lines = Readable.from(exportLog(opened.reads));
      if (file === undefined || to === undefined) {
        await pipeline(lines, stdout, { end: false });
        sayEncrypted({ out }, secrets);
        return;
      }
      const target = createWriteStream(to, { mode: 0o600, flags: 'wx' });
      await pipeline(lines, target);
      const { seq } = await opened.reads.head();
      const facts = { file, events: seq, encrypted_secrets: secrets.names };
      out.answer(facts, () => `${plural(seq, 'event')} in ${file}`);
      sayEncrypted({ out }, secrets);
    } finally {
      await opened[Symbol.asyncDispose]();
    }
  },
};
