import { accessSync, constants } from 'node:fs';
import { isAbsolute } from 'node:path';
import { findProgram as findAgentProgram } from '../adapters/claude/sdk.ts';
import {
  daemonFault,
  type EngineLocation,
  findEngine,
  findProgram,
} from '../adapters/containers/engine.ts';
import { findTools } from '../adapters/sandbox/find-tools.ts';
import type { AgentType } from '../domain/pool.ts';
import type { Isolation } from '../domain/project.ts';
import type { MachineLacks } from '../domain/staffing.ts';
import { CellRefused } from '../ports/cell.ts';

/** How long an answer holds: looking through the PATH for every task would be wasteful. */
const HOLDS_MS = 10_000;

/**
 * What this machine lacks for agents, as far as looking for programs tells. Whether isolation works is
 * known only after a cell was built, which each worker does before it registers.
 */
export function createMachineLacks(
  { path, dockerHost }: EngineLocation,
  now: () => number,
): MachineLacks {
  const known = new Map<string, { readonly at: number; readonly lack: string | null }>();

  function remember(key: string, look: () => string | null): string | null {
    const before = known.get(key);
    if (before && now() - before.at < HOLDS_MS) return before.lack;
    const lack = look();
    known.set(key, { at: now(), lack });
    return lack;
  }

  return {
    isolation: (required) =>
      remember(`isolation ${required}`, () => isolationLack(required, { path, dockerHost })),
    backend: (type) => remember(`type ${type.name}`, () => backendLack(type, path)),
  };
}

function isolationLack(required: Isolation | null, location: EngineLocation): string | null {
  switch (required) {
    case 'none':
      return null;
    case 'sandbox':
      return sandboxLack(location);
    case 'container':
      return containerLack(location);
    case null: {
      const [sandbox, container] = [sandboxLack(location), containerLack(location)];
      return sandbox === null || container === null ? null : `${sandbox}; ${container}`;
    }
  }
}

function sandboxLack({ path }: EngineLocation): string | null {
  try {
    findTools({ path });
    return null;
  } catch (fault) {
    if (fault instanceof CellRefused) return fault.message;
    throw fault;
  }
}

function containerLack(location: EngineLocation): string | null {
  const engine = findEngine(location);
  return engine === undefined ? 'neither Podman nor Docker is installed' : daemonFault(engine);
}

/** A program of an image or of the repository cannot be looked for here. */
function backendLack({ name, settings }: AgentType, path: string): string | null {
  const { backend, image } = settings;
  if (backend.kind === 'claude') return agentLack();
  const [program = ''] = backend.argv;
  if (image !== null || (program.includes('/') && !isAbsolute(program))) return null;
  const isFound = isAbsolute(program) ? isExecutable(program) : findProgram(program, path);
  return isFound ? null : `the command of type ${name} is not on this machine: ${program}`;
}

function agentLack(): string | null {
  const program = findAgentProgram();
  return 'missing' in program ? program.missing : null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
