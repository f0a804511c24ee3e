import { existsSync } from 'node:fs';
import { delimiter, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../config/variable-references.ts';
import type { ProcessContext } from './process-context.ts';
import { shellQuote } from './shell-quote.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

/** How a user in this folder starts this program: the way they just did, where that is known. */
export function commandName(
  context: Pick<ProcessContext, 'environment' | 'cwd' | 'script'>,
  root = ROOT,
): string {
  const { environment, script } = context;
  const folder = userFolder(context);
  const launcher = join(root, 'bin/guildhall.js');
  const isNpm = environment['npm_lifecycle_event'] !== undefined;
  // A package manager's own scripts run the launcher of an installed package by its path too.
  const isTyped = script === launcher && !isNpm && !/[\\/]node_modules[\\/]/.test(root);
  if (isTyped) return `node ${shellQuote(nearPath(folder, launcher))}`;
  const isLocal = resolvesLocally(folder, root);
  if (isNpm && isLocal) return 'npx guildhall';
  if (isOnPath(environment['PATH'] ?? '')) return 'guildhall';
  return isLocal ? 'npx guildhall' : `node ${shellQuote(launcher)}`;
}

/** Where the user stands: npm runs the scripts of a package in the package's own folder. */
export function userFolder({
  environment,
  cwd,
}: {
  readonly environment: Environment;
  readonly cwd: string;
}): string {
  const isNpm = environment['npm_lifecycle_event'] !== undefined;
  return (isNpm ? environment['INIT_CWD'] : undefined) ?? cwd;
}

function nearPath(folder: string, path: string): string {
  const near = relative(folder, path);
  return near.startsWith('..') ? path : near;
}

/** Else npx would run whatever has the name in the public registry. */
function resolvesLocally(folder: string, root: string): boolean {
  if (!relative(root, folder).startsWith('..')) return true;
  if (existsSync(join(folder, 'node_modules/.bin/guildhall'))) return true;
  return dirname(folder) !== folder && resolvesLocally(dirname(folder), root);
}

/** Ignores the folders that npm adds to the PATH of its children; the user's next terminal lacks them. */
function isOnPath(path: string): boolean {
  return path
    .split(delimiter)
    .filter((folder) => folder !== '' && !/node_modules[\\/]\.bin$/.test(folder))
    .some((folder) => existsSync(join(folder, 'guildhall')));
}
