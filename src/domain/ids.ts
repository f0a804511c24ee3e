/**
 * Tasks, threads, runs and workers have the number of the event that created them, so ids sort by
 * arrival and need no counter beside the log. The event that posts a thread's first task creates
 * the thread too, so both have the same number.
 */
export type TaskId = number & { readonly task: unique symbol };
export type ThreadId = number & { readonly thread: unique symbol };
export type RunId = number & { readonly run: unique symbol };
export type WorkerId = number & { readonly worker: unique symbol };
export type RuleId = number & { readonly rule: unique symbol };
export type ApprovalId = number & { readonly approval: unique symbol };

/** Grows with every claim of any task; the hall refuses calls with an older one. */
export type Fence = number & { readonly fence: unique symbol };

/** Milliseconds since 1970, UTC, by the hall's clock. For display and schedules, never for leases. */
export type Instant = number;

/** Milliseconds. */
export type Duration = number;

const PREFIX = {
  task: 't',
  thread: 'th',
  run: 'r',
  worker: 'w',
  rule: 'ru',
  approval: 'ap',
} as const;
export type Numbered = keyof typeof PREFIX;

export function nameOf(kind: Numbered, id: number): string {
  return `${PREFIX[kind]}-${id}`;
}

/** The number in `t-41`, or undefined when the text is not a name of this kind. */
export function numberIn(kind: Numbered, name: string): number | undefined {
  const start = `${PREFIX[kind]}-`;
  if (!name.startsWith(start)) return undefined;
  const digits = name.slice(start.length);
  if (!/^[1-9]\d{0,14}$/.test(digits)) return undefined;
  return Number(digits);
}

/**
 * After a restore, event numbers repeat from the backup's last one. Every restore raises the era,
 * so a fence issued after the backup never matches one issued after the restore.
 */
export function fenceFor(era: number, seq: number): Fence {
  return (era * 2 ** 32 + seq) as Fence;
}
