import type { VerdictWord } from './verdict.ts';

/**
 * What a rule of the gate says about one call. `unlisted` means that the tables do not know the program or
 * the option: the project's `gate` decides.
 */
export interface Ruling {
  readonly verdict: VerdictWord | 'unlisted';
  readonly because: string;
}

export const FINE: Ruling = { verdict: 'accept', because: 'it is ordinary work' };

export function unlisted(because: string): Ruling {
  return { verdict: 'unlisted', because };
}

export function review(because: string): Ruling {
  return { verdict: 'review', because };
}

export function deny(because: string): Ruling {
  return { verdict: 'deny', because };
}

const RANK = { accept: 0, unlisted: 1, review: 2, deny: 3 } as const;

/** Deny before review before unlisted before accept; the first among equals. */
export function strictest<R extends Ruling>(rulings: readonly R[], otherwise: R): R {
  let worst = otherwise;
  for (const ruling of rulings) if (RANK[ruling.verdict] > RANK[worst.verdict]) worst = ruling;
  return worst;
}
