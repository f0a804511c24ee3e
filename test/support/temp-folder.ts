import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

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

/** A folder that every user may enter, whatever TMPDIR says; whoever makes it removes it. */
export function openTempFolder(prefix: string): string {
  const places = [tmpdir(), '/tmp', '/var/tmp'];
  const open = places.find((folder) => process.getuid?.() !== 0 || isOpenToAll(folder));
  if (!open) throw new Error('no temporary folder can be entered by an unprivileged user');
  const folder = mkdtempSync(join(open, prefix));
  chmodSync(folder, 0o755);
  return folder;
}

function isOpenToAll(folder: string): boolean {
  const mayEnter = (statSync(folder).mode & 0o001) !== 0;
  return mayEnter && (folder === '/' || isOpenToAll(dirname(folder)));
}

/** Temporary files that Node keeps, and Podman where an ordinary user has no other place for them. */
export function isKeptByOthers(name: string): boolean {
  return /^(node-compile-cache$|containers-user-|podman-run-)/.test(name);
}
