import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript';
import { ROOT } from './tree.ts';

/** One TypeScript file, and what it takes from others. */
export interface Module {
  readonly path: string;
  readonly text: string;
  /** Files of the project, relative to the root. */
  readonly imports: readonly string[];
  /** Modules of Node and of packages, without those of which only types are taken. */
  readonly outside: readonly string[];
}

const modules = new Map<string, Module>();

/** The files and everything that they import, directly or not, types included. */
export function reachableFrom(files: readonly string[], except: string[] = []): Module[] {
  const reached = new Map<string, Module>();
  const waiting = [...files];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (reached.has(path) || except.includes(path) || !path.endsWith('.ts')) continue;
    const module = moduleAt(path);
    reached.set(path, module);
    waiting.push(...module.imports);
  }
  return [...reached.values()];
}

function moduleAt(path: string): Module {
  const known = modules.get(path);
  if (known) return known;

  const text = readFileSync(join(ROOT, path), 'utf8');
  const specifiers = specifiersIn(text);
  const module = {
    path,
    text,
    imports: specifiers
      .filter(({ name }) => name.startsWith('.'))
      .map(({ name }) => posix.join(posix.dirname(path), name)),
    outside: specifiers
      .filter(({ name, isType }) => !name.startsWith('.') && !isType)
      .map(({ name }) => name),
  };
  modules.set(path, module);
  return module;
}

/** By the scanner alone: building a syntax tree of every file takes three times as long. */
function specifiersIn(text: string): { name: string; isType: boolean }[] {
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName, pos }) => ({
    name: fileName,
    isType: /^import\s+type\b/.test(text.slice(text.lastIndexOf('import', pos), pos)),
  }));
}
