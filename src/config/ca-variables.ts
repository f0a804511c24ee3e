import { resolve } from 'node:path';
import { CA_VARIABLES, type Env } from '../domain/env.ts';
import type { Environment } from './variable-references.ts';

/** The CA files that this process was told to trust. Its cells trust them too. */
export function caVariablesIn(environment: Environment, cwd: string): Env {
  return withAbsoluteCaFiles(
    Object.fromEntries(
      CA_VARIABLES.flatMap((name) => {
        const value = environment[name];
        return value ? [[name, value]] : [];
      }),
    ),
    cwd,
  );
}

/** CA files are relative to where they are written, like every other path. */
export function withAbsoluteCaFiles(env: Env, folder: string): Env {
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [
      name,
      CA_VARIABLES.includes(name) ? resolve(folder, value) : value,
    ]),
  );
}
