import { readlinkSync } from 'node:fs';
import { startTimeOf } from '../cell/processes.ts';
import { type Engine, runEngine } from './engine.ts';

/** A label on each of our containers. */
export const OWNER_LABEL = 'guildhall.cell.owner';

/** This process. Its pid is unique only within its PID namespace and together with its start time. */
export function thisOwner(): string {
  return `${ownNamespace()}/${process.pid}/${startTimeOf(process.pid)}`;
}

/**
 * Whether the process that created a container still runs. The lock on the name cannot tell across
 * network namespaces, because the kernel keeps these locks per namespace. Unknown where the owner is in
 * another PID namespace; gone where there is no such container.
 */
export async function ownerOf(
  engine: Engine,
  container: string,
): Promise<'this' | 'running' | 'gone' | 'unknown'> {
  const format = ['--format', `{{index .Config.Labels "${OWNER_LABEL}"}}`];
  const { code, stdout } = await runEngine(engine, ['container', 'inspect', ...format, container]);
  const [namespace, pid, startTime] = stdout.split('/');
  if (code !== 0 || startTime === undefined) return 'gone';
  if (stdout === thisOwner()) return 'this';
  if (namespace !== ownNamespace()) return 'unknown';
  return startTimeOf(Number(pid)) === startTime ? 'running' : 'gone';
}

function ownNamespace(): string {
  return readlinkSync('/proc/self/ns/pid').replace(/\D/g, '');
}
