import type { TreeFile } from '../tree.ts';

/** A guard with examples of what it refuses and what it lets pass. */
export interface Guarded {
  readonly guard: (files: readonly TreeFile[]) => string[];
  /** Path and text of one file each; every one of them must be refused. */
  readonly refused: readonly (readonly [path: string, text: string])[];
  readonly allowed: readonly (readonly [path: string, text: string])[];
  /** Other files of the tree, for rules that a single file can neither keep nor break. */
  readonly beside?: readonly TreeFile[];
}
