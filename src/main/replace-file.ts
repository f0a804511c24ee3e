import { writeFileSync } from 'node:fs';
import { writeDurably } from '../adapters/files/write-durably.ts';

/** Replaces a file as a whole: it has the old text or the new one, whatever happens. */
export function replaceFile(path: string, text: string, mode: number): Promise<void> {
  return writeDurably(path, text, mode);
}

/** A file beside another, which only its owner reads, to be checked and removed again. */
export function writeCandidate(path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o600 });
}
