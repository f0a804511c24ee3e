import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder that is removed when the test ends. */
export interface TempFolder extends Disposable {
  readonly path: string;
  file(name: string): string;
}

export function tempFolder(): TempFolder {
  const path = mkdtempSync(join(tmpdir(), 'hall-'));
  return {
    path,
    file: (name) => join(path, name),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** Temporary files that Node keeps, and Podman where an ordinary user has no other place for them. */
export function isKeptByOthers(name: string): boolean {
  return /^(node-compile-cache$|containers-user-|podman-run-)/.test(name);
}
