import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = join(import.meta.dirname, '../..');

/** Words of a source file that are replaced when it is loaded. */
export interface Patch {
  /** Relative to the root of the project. */
  readonly file: string;
  /** Must stand in the file exactly once. */
  readonly text: string;
  readonly instead: string;
}

/**
 * Loads the product with its text changed, so that the product itself needs no switches. Has to be
 * called before the first import of what it changes.
 */
export function loadPatched(patches: readonly Patch[]): void {
  const waiting = new Set(patches);
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const here = patches.filter(({ file }) => urlOf(file) === url);
      if (here.length === 0) return loaded;
      let source = String(loaded.source);
      for (const patch of here) {
        source = applied(source, patch);
        waiting.delete(patch);
      }
      return { ...loaded, source };
    },
  });
  process.once('exit', () => {
    for (const { file } of waiting) process.stderr.write(`${file} was never loaded\n`);
    if (waiting.size > 0) process.exitCode = 2;
  });
}

/** The text of a file after the patch. Throws when the words are not there, or are there twice. */
export function applied(source: string, { file, text, instead }: Patch): string {
  const times = source.split(text).length - 1;
  if (times !== 1) throw new Error(`${file} has ${times} times what is to be replaced: ${text}`);
  return source.replace(text, () => instead);
}

function urlOf(file: string): string {
  return pathToFileURL(join(ROOT, file)).href;
}
