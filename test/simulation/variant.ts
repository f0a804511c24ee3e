import type { Patch } from './patching.ts';

/** The product with one deliberate mistake, and the scenario that must find it. */
export interface Variant {
  readonly name: string;
  /** The mistake, as a title. */
  readonly about: string;
  readonly scenario: string;
  /** The story to begin with, where few stories catch it and one is known; otherwise the first. */
  readonly from?: number;
  /** How many stories it may take to find it: about ten times what it takes, as chance decides. */
  readonly seeds: number;
  readonly patches: readonly Patch[];
}
