import { readdirSync, readFileSync } from 'node:fs';
import { ifExists } from './if-exists.ts';

/** A process of this machine, with the CPU time of itself and of its ended children. */
export interface ProcessTimes {
  readonly pid: number;
  readonly parent: number;
  readonly session: number;
  readonly startedAt: string;
  readonly seconds: number;
}

/** USER_HZ of the kernel, which is the same on every Linux. */
const TICKS_PER_SECOND = 100;

/** CPU seconds of this process and of all its ended children and their descendants. */
export function ownCpuSeconds(): number {
  const own = ifExists(() => timesIn(readFileSync('/proc/self/stat', 'utf8')));
  if (own) return own.seconds;
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Every process of this machine; none where there is no /proc. */
export function allProcesses(): ProcessTimes[] {
  const pids = ifExists(() => readdirSync('/proc')) ?? [];
  return pids
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const text = statOf(pid);
      return text === undefined ? [] : [timesIn(text)];
    });
}

/**
 * Adds up the CPU time of a process and its descendants, as far as it can be seen: a process that leaves its
 * session after its parent has ended, as containers do, is lost.
 */
export class GroupTimes {
  readonly #leader: number;
  /** Members without a parent among the members: their time is not added to any process when they end. */
  #orphans = new Map<string, number>();
  #ended = 0;
  #most = 0;

  constructor(leader: number) {
    this.#leader = leader;
  }

  /** CPU seconds so far. */
  seen(processes: readonly ProcessTimes[]): number {
    const members = this.#membersOf(processes);
    const orphans = members.filter(
      ({ pid, parent }) => pid !== this.#leader && !members.some((each) => each.pid === parent),
    );
    const present = new Set(members.map((each) => nameOf(each)));
    for (const [name, seconds] of this.#orphans) if (!present.has(name)) this.#ended += seconds;
    this.#orphans = new Map(orphans.map((each) => [nameOf(each), each.seconds]));

    const running = members.reduce((total, { seconds }) => total + seconds, 0);
    this.#most = Math.max(this.#most, this.#ended + running);
    return this.#most;
  }

  #membersOf(processes: readonly ProcessTimes[]): ProcessTimes[] {
    const children = Map.groupBy(processes, ({ parent }) => parent);
    const found = new Map<number, ProcessTimes>();
    const waiting = processes.filter(
      ({ pid, session }) => pid === this.#leader || session === this.#leader,
    );
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      if (found.has(next.pid)) continue;
      found.set(next.pid, next);
      waiting.push(...(children.get(next.pid) ?? []));
    }
    return [...found.values()];
  }
}

function nameOf({ pid, startedAt }: ProcessTimes): string {
  return `${pid} ${startedAt}`;
}

/** A process may end between being listed and being read. */
function statOf(pid: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
}

/** proc_pid_stat(5); the name of the program is in brackets and may contain any character. */
function timesIn(stat: string): ProcessTimes {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const numbers = fields.map(Number);
  const ticks = numbers.slice(11, 15).reduce((total, each) => total + each, 0);
  return {
    pid: Number.parseInt(stat, 10),
    parent: numbers[1] ?? 0,
    session: numbers[3] ?? 0,
    startedAt: fields[19] ?? '',
    seconds: ticks / TICKS_PER_SECOND,
  };
}
