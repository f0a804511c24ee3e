import type { Variant } from './variant.ts';
import { CLAIMS } from './variants/claims.ts';
import { COMMITS } from './variants/commits.ts';
import { LEASES } from './variants/leases.ts';
import { THREADS } from './variants/threads.ts';
import { TOOLS } from './variants/tools.ts';
import { WAITING } from './variants/waiting.ts';

/** The simulation must catch every one of these. */
export const VARIANTS: readonly Variant[] = [
  ...COMMITS,
  ...CLAIMS,
  ...WAITING,
  ...LEASES,
  ...THREADS,
  ...TOOLS,
];
