import type { Environment } from './variable-references.ts';

/** How programs of this machine are found. */
export interface MachineVariables {
  readonly path: string;
  /** The address of Docker's daemon; undefined leaves it to Docker. */
  readonly dockerHost: string | undefined;
}

export function machineVariablesIn(environment: Environment): MachineVariables {
  return { path: environment['PATH'] ?? '', dockerHost: environment['DOCKER_HOST'] || undefined };
}
