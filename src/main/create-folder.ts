import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and its parents, one by one. Node's recursive `mkdir` never returns where a folder
 * cannot be created although its parent exists, as in /proc (seen with Node 20 and 24).
 */
export function createFolder(path: string, mode: number): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  if (!found) createFolder(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have been faster; a file or a dangling link is still a fault.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
