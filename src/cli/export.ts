import { createWriteStream } from 'node:fs';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { CommandSpec } from './command.ts';
import { plural } from './plural.ts';

export const EXPORT: CommandSpec = {
  path: 'export',
  summary: 'export the event log as JSON lines, with the hashes and links that prove its integrity',
  uses: 'folder',
  options: [
    { flags: '-o, --output <file>', about: 'write to this file instead of standard output' },
  ],
  examples: ['guildhall export --output hall.ndjson', 'guildhall export | gzip > hall.ndjson.gz'],
  run: async ({ hall, out, cwd, stdout }, input) => {
    const { exportLog } = await import('../main/export-log.ts');
    const { openReads } = await import('../main/open-store.ts');
    const { storeNeeds: quietNeeds } = await import('../main/store-options.ts');
    // Not `await using`: in a function that has it, the compiler does not rewrite the extensions of imports.
    const opened = await openReads(hall(), quietNeeds(out.warn));
    try {
      const file = input.text('output');
      const lines = Readable.from(exportLog(opened.reads));
      if (file === undefined) {
        await pipeline(lines, stdout, { end: false });
        return;
      }
      const target = createWriteStream(resolve(cwd, file), { mode: 0o600, flags: 'wx' });
      await pipeline(lines, target);
      const { seq } = await opened.reads.head();
      out.answer({ file, events: seq }, () => `${plural(seq, 'event')} in ${file}`);
    } finally {
      await opened[Symbol.asyncDispose]();
    }
  },
};
