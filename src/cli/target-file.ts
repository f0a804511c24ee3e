import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { InvalidUsage } from './invalid-usage.ts';
import { shellQuote } from './shell-quote.ts';

/** The file that was typed to be written. A missing folder may be a slip, so it is not created. */
export function targetFile(cwd: string, typed: string): string {
  const file = resolve(cwd, typed);
  const folder = dirname(file);
  if (!existsSync(folder)) {
    throw new InvalidUsage(
      `there is no folder ${folder}; create it with: mkdir -p ${shellQuote(folder)}`,
    );
  }
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) {
    throw new InvalidUsage(`${file} is a folder; name a file in it`);
  }
  return file;
}
