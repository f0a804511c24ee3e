import type { Environment } from './variable-references.ts';

/** The only place that reads the environment of the process. */
export function readEnvironment(): Environment {
  return { ...process.env };
}
