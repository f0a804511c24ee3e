import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** CPU time of a process and its descendants, in seconds, from /proc. */
export function cpuSeconds(pid: number): number {
  const all = snapshot();
  const own = all.get(pid);
  if (!own) return 0;
  let ticks = own.ticks + own.reaped;
  for (const child of below(all, pid)) ticks += child.ticks + child.reaped;
  return ticks / TICKS_PER_SECOND;
}

/** Memory of a process and its descendants, in bytes; shared pages count once. */
export function residentBytes(pid: number): number {
  const own = proportionalBytes(pid) ?? 0;
  let sum = own;
  for (const child of below(snapshot(), pid)) sum += proportionalBytes(child.pid) ?? 0;
  return sum;
}

interface Use {
  readonly pid: number;
  readonly parent: number;
  readonly ticks: number;
  /** Of children that ended and were waited for. */
  readonly reaped: number;
}

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

function snapshot(): Map<number, Use> {
  const uses = new Map<number, Use>();
  for (const name of readdirSync('/proc')) {
    const use = /^\d+$/.test(name) ? useOf(Number(name)) : undefined;
    if (use) uses.set(use.pid, use);
  }
  return uses;
}

function useOf(pid: number): Use | undefined {
  const text = read(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  // The second field is the program's name in brackets, which may contain spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [, parent, , , , , , , , , , user, system, reapedUser, reapedSystem] = fields.map(Number);
  return {
    pid,
    parent: parent ?? 0,
    ticks: (user ?? 0) + (system ?? 0),
    reaped: (reapedUser ?? 0) + (reapedSystem ?? 0),
  };
}

function* below(all: ReadonlyMap<number, Use>, pid: number): Generator<Use> {
  for (const use of all.values()) {
    if (use.parent !== pid) continue;
    yield use;
    yield* below(all, use.pid);
  }
}

function proportionalBytes(pid: number): number | undefined {
  const text = read(`/proc/${pid}/smaps_rollup`);
  const [, kilobytes] = /^Pss:\s+(\d+) kB/m.exec(text ?? '') ?? [];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}

/** Resident memory of one process alone, as `ps` shows it. */
export function residentAlone(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`) ?? '') ?? [];
  return Number(kilobytes ?? 0) * 1024;
}

/** A process may end between being listed and being read. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Bytes that a process has handed to the disk so far. */
export function bytesWritten(pid: number): number {
  const [, bytes] = /^write_bytes: (\d+)/m.exec(read(`/proc/${pid}/io`) ?? '') ?? [];
  return Number(bytes ?? 0);
}
