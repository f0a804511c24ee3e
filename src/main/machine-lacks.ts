import { accessSync, constants } from 'node:fs';
import { isAbsolute } from 'node:path';
import { createClaudeRunner } from '../adapters/claude/runner.ts';
import { findEngine, findProgram } from '../adapters/containers/engine.ts';
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
export function createMachineLacks(path: string, now: () => number): MachineLacks {
  const known = new Map<string, { readonly at: number; readonly lack: string | null }>();

  function remember(key: string, look: () => string | null): string | null {
    const before = known.get(key);
    if (before && now() - before.at < HOLDS_MS) return before.lack;
    const lack = look();
    known.set(key, { at: now(), lack });
    return lack;
  }

  return {
    isolation: (required) => remember(`isolation ${required}`, () => isolationLack(required, path)),
    backend: (type) => remember(`type ${type.name}`, () => backendLack(type, path)),
  };
}

function isolationLack(required: Isolation | null, path: string): string | null {
  switch (required) {
    case 'none':
      return null;
    case 'sandbox':
      return sandboxLack(path);
    case 'container':
      return containerLack(path);
    case null: {
      const [sandbox, container] = [sandboxLack(path), containerLack(path)];
      return sandbox === null || container === null ? null : `${sandbox}; ${container}`;
    }
  }
}

function sandboxLack(path: string): string | null {
  try {
    findTools({ path });
    return null;
  } catch (fault) {
    if (fault instanceof CellRefused) return fault.message;
    throw fault;
  }
}

function containerLack(path: string): string | null {
  return findEngine(path) === undefined ? 'neither Podman nor Docker is installed' : null;
}

/** A program of an image or of the repository cannot be looked for here. */
function backendLack({ name, settings }: AgentType, path: string): string | null {
  const { backend, image } = settings;
  if (backend.kind === 'claude') return createClaudeRunner().missing;
  const [program = ''] = backend.argv;
  if (image !== null || (program.includes('/') && !isAbsolute(program))) return null;
  const isFound = isAbsolute(program) ? isExecutable(program) : findProgram(program, path);
  return isFound ? null : `the command of type ${name} is not on this machine: ${program}`;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
