/**
 * Tasks, threads, runs and workers are numbered by the event that made them, so an id is its own
 * place in the order of arrival, and no counter has to be kept beside the log. A thread is made by the
 * event that posts its first task, and shares its number.
 */
export type TaskId = number & { readonly task: unique symbol };
export type ThreadId = number & { readonly thread: unique symbol };
export type RunId = number & { readonly run: unique symbol };
export type WorkerId = number & { readonly worker: unique symbol };
export type RuleId = number & { readonly rule: unique symbol };
export type ApprovalId = number & { readonly approval: unique symbol };

/** Grows with every claim of any task; a call that carries an older one changes nothing. */
export type Fence = number & { readonly fence: unique symbol };

/** Milliseconds since 1970, UTC, of the hall's own clock. For display and schedules, never for leases. */
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

/** The number in `t-41`, or undefined when the text is not such a name. */
export function numberIn(kind: Numbered, name: string): number | undefined {
  const start = `${PREFIX[kind]}-`;
  if (!name.startsWith(start)) return undefined;
  const digits = name.slice(start.length);
  if (!/^[1-9]\d{0,14}$/.test(digits)) return undefined;
  return Number(digits);
}

/**
 * A restored backup counts its events from the past again. The era, raised by every restore, keeps a
 * fence handed out after that backup from matching one handed out since.
 */
export function fenceFor(era: number, seq: number): Fence {
  return (era * 2 ** 32 + seq) as Fence;
}
