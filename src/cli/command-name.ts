import { existsSync } from 'node:fs';
import { delimiter, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../config/variable-references.ts';
import { shellQuote } from './shell-quote.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** How a user in this folder starts this program, for commands that are printed to be typed. */
export function commandName({ PATH }: Environment, cwd: string, root = ROOT): string {
  if (isOnPath(PATH ?? '')) return 'guildhall';
  // npx looks for a program in the package around the folder, and then in the registry.
  const isInside = !relative(root, cwd).startsWith('..');
  return isInside ? 'npx guildhall' : shellQuote(join(root, 'bin/guildhall.js'));
}

/** Ignores the folders that npm adds to the PATH of its children; the user's next terminal lacks them. */
function isOnPath(path: string): boolean {
  return path
    .split(delimiter)
    .filter((folder) => folder !== '' && !/node_modules[\\/]\.bin$/.test(folder))
    .some((folder) => existsSync(join(folder, 'guildhall')));
}
