import { readFileSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
import { ConfigRefused } from './mistake.ts';
import { parseYaml, type YamlSource } from './yaml-source.ts';

/** A file, and its path as shown to people. */
export interface SourceFile {
  readonly path: string;
  readonly shown: string;
}

/** Reads a file of the configuration. Throws `ConfigRefused`; the hint says what to do about a missing one. */
export function readSource({ path, shown }: SourceFile, hint: string): YamlSource {
  const source = parseYaml(shown, textOf({ path, shown }, hint));
  if (!('value' in source)) throw new ConfigRefused(source);
  return source;
}

/** Relative where that is unambiguous, because people read it in refusals. */
export function sourceFile(path: string, cwd: string): SourceFile {
  const short = relative(cwd, path);
  const isElsewhere = short === '' || short.startsWith('..') || isAbsolute(short);
  return { path, shown: isElsewhere ? path : short };
}

const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EISDIR: 'is a folder',
};

function textOf({ path, shown }: SourceFile, hint: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    const fault = UNREADABLE[code] ?? `could not be read (${code})`;
    const message = `${fault}; ${hint}`;
    const place = { file: shown, line: 1, column: 1 };
    throw new ConfigRefused([{ place, path: '', message }], { cause: error });
  }
}
