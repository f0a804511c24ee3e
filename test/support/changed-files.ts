import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, join, posix } from 'node:path';
import { type Module, reachableFrom } from './import-graph.ts';
import { ROOT } from './tree.ts';

/** The suites that a change reaches, and the files that make it so. */
export interface Reached {
  readonly changed: readonly string[];
  readonly files: readonly string[];
}

/** A change to one of these can affect everything. */
const FOR_ALL = /^(package(-lock)?|tsconfig(\.\w+)?)\.json$/;

/** Folders that the product reads completely. */
const READ_WHOLE = ['skills', 'roster', 'agents'];

/**
 * Files that differ from a commit, committed since or not, and untracked ones. Without a base, from where this
 * branch left the main one.
 */
export function changedSince(base: string, root: string = ROOT): string[] {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();
  const from = git('merge-base', 'HEAD', base || mainBranch(git));
  const lists = [
    git('diff', '--name-only', '--no-renames', from),
    git('ls-files', '--others', '--exclude-standard'),
  ];
  return [...new Set(lists.join('\n').split('\n').filter(Boolean))].sort();
}

function mainBranch(git: (...args: string[]) => string): string {
  const known = ['refs/remotes/origin/HEAD', 'refs/remotes/origin/main', 'refs/heads/main'];
  const there = git('for-each-ref', '--format=%(refname)', ...known).split('\n');
  return known.find((ref) => there.includes(ref)) ?? 'HEAD';
}

/** The suites that load a changed file, start it by its name, or read it. */
export function suitesReachedBy(changed: readonly string[], suites: readonly string[]): string[] {
  if (changed.length === 0) return [];
  if (changed.some((file) => FOR_ALL.test(file))) return [...suites];

  const touched = changed.map((file) => touchedBy(file, suites));
  if (touched.some((files) => files === 'unknown')) return [...suites];
  const all = new Set(touched.flatMap((files) => [...files]));
  return suites.filter((suite) => loadedBy(suite).some((path) => all.has(path)));
}

/** The modules that the file is or that name it; unknown if it is neither a page nor named anywhere. */
function touchedBy(file: string, suites: readonly string[]): ReadonlySet<string> | 'unknown' {
  const modules = reachableFrom(suites.flatMap((suite) => loadedBy(suite)));
  const readers = modules.filter(({ text }) => /(?<!function )\breadTree\(/.test(text));
  const named = file.endsWith('.ts') ? [] : modules.filter((module) => names(module, file));
  if (named.length === 0 && !/\.(ts|md)$/.test(file)) return 'unknown';
  return new Set([file, ...[...readers, ...named].map(({ path }) => path)]);
}

/** By its name, or by a folder that is read completely. */
function names({ text }: Module, file: string): boolean {
  const [folder = ''] = file.split('/');
  const words = [basename(file), ...(READ_WHOLE.includes(folder) ? [folder] : [])];
  return words.some((word) => text.includes(`/${word}'`) || text.includes(`'${word}'`));
}

const loaded = new Map<string, readonly string[]>();

/** The paths that a suite loads, and those that the programs load that it starts by file name. */
function loadedBy(suite: string): readonly string[] {
  const known = loaded.get(suite);
  if (known) return known;
  const paths = new Set<string>();
  const waiting = [suite];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    for (const module of reachableFrom([path])) {
      if (paths.has(module.path)) continue;
      paths.add(module.path);
      waiting.push(...programsIn(module).filter((program) => !paths.has(program)));
    }
  }
  loaded.set(suite, [...paths]);
  return [...paths];
}

/** The launcher is JavaScript and finds the sources by itself. */
const LAUNCHER = { name: 'guildhall.js', starts: 'src/cli/main.ts' };

function programsIn({ path, text }: Module): string[] {
  const names = [...text.matchAll(/['"`/]([\w./-]+\.[jt]s)['"`]/g)].map(([, name = '']) => name);
  return names.flatMap((name) => {
    if (basename(name) === LAUNCHER.name) return [LAUNCHER.starts];
    const folders = name.startsWith('.') ? [] : ['', 'test/support'];
    const places = [posix.dirname(path), ...folders].map((folder) =>
      posix.join(folder, name.replace(/\.js$/, '.ts')),
    );
    return places.filter((place) => !place.startsWith('..') && existsSync(join(ROOT, place)));
  });
}
