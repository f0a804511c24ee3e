import { readlinkSync } from 'node:fs';
import { startTimeOf } from '../cell/processes.ts';
import { type Engine, runEngine } from './engine.ts';

/** On each of our containers. */
export const OWNER_LABEL = 'guildhall.cell.owner';

/** This process. Its number is unique only in its PID namespace, and only with the time it was started at. */
export function thisOwner(): string {
  return `${ownNamespace()}/${process.pid}/${startTimeOf(process.pid)}`;
}

/**
 * Whether the process that made a container still runs. The lock on the name does not say so in a network
 * namespace other than that of the process: the kernel keeps these locks for each namespace separately. Unknown
 * where the owner is in another PID namespace; gone where there is no such container.
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
