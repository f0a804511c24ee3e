import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript';
import { ROOT } from './tree.ts';

/** One TypeScript file and its imports. */
export interface Module {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
}

export interface Import {
  /** Relative to the root for a file of the project, otherwise a module of Node or of a package. */
  readonly from: string;
  readonly isOwn: boolean;
  /** Erased with the types. */
  readonly isType: boolean;
}

interface Which {
  /** Files that are not followed. */
  readonly except?: readonly string[];
  /** Only what is loaded at run time. */
  readonly withoutTypes?: boolean;
}

const modules = new Map<string, Module>();

/** The files and everything that they import, directly or not. */
export function reachableFrom(files: readonly string[], which: Which = {}): Module[] {
  const { except = [], withoutTypes = false } = which;
  const reached = new Map<string, Module>();
  const waiting = [...files];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (reached.has(path) || except.includes(path) || !path.endsWith('.ts')) continue;
    const module = moduleAt(path);
    reached.set(path, module);
    for (const { from, isOwn, isType } of module.imports) {
      if (isOwn && !(isType && withoutTypes)) waiting.push(from);
    }
  }
  return [...reached.values()];
}

function moduleAt(path: string): Module {
  const known = modules.get(path);
  if (known) return known;

  const text = readFileSync(join(ROOT, path), 'utf8');
  const module = { path, text, imports: importsIn(path, text) };
  modules.set(path, module);
  return module;
}

/** With the scanner alone: building a syntax tree of every file takes three times as long. */
function importsIn(path: string, text: string): Import[] {
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName, pos }) => {
    const isOwn = fileName.startsWith('.');
    const statement = text.slice(text.lastIndexOf('import', pos), pos);
    return {
      from: isOwn ? posix.join(posix.dirname(path), fileName) : fileName,
      isOwn,
      isType: /^import\s+type\b/.test(statement),
    };
  });
}
