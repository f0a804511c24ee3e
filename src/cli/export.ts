import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { CommandSpec } from './command.ts';
import { plural } from './plural.ts';
import { targetFile } from './target-file.ts';

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
    const file = input.text('output');
    const to = file === undefined ? undefined : targetFile(cwd, file);
    const opened = await openReads(hall(), quietNeeds(out.warn));
    try {
      const lines = Readable.from(exportLog(opened.reads));
      if (file === undefined || to === undefined) {
        await pipeline(lines, stdout, { end: false });
        return;
      }
      const target = createWriteStream(to, { mode: 0o600, flags: 'wx' });
      await pipeline(lines, target);
      const { seq } = await opened.reads.head();
      out.answer({ file, events: seq }, () => `${plural(seq, 'event')} in ${file}`);
    } finally {
      await opened[Symbol.asyncDispose]();
    }
  },
};
