import { join } from 'node:path';
import type { Environment } from './variable-references.ts';

/** How programs of this machine are found. */
export interface MachineVariables {
  readonly path: string;
  /** The address of Docker's daemon; undefined leaves it to Docker. */
  readonly dockerHost: string | undefined;
  /** The folder of the OpenPGP keys; git runs with another home, so it is told. */
  readonly gnupgHome: string | null;
}

export function machineVariablesIn(environment: Environment): MachineVariables {
  const { PATH, DOCKER_HOST, GNUPGHOME, HOME } = environment;
  return {
    path: PATH ?? '',
    dockerHost: DOCKER_HOST || undefined,
    gnupgHome: GNUPGHOME || (HOME ? join(HOME, '.gnupg') : null),
  };
}
