import { z } from 'zod';
import { SIZES } from '../domain/size.ts';
import { TASK_STATES } from '../domain/task.ts';

/*
 * The field types of the API. Each means the same in every request, answer, filter and event.
 */

function numbered(prefix: string, kind: string) {
  return z
    .string()
    .regex(
      new RegExp(`^${prefix}-[1-9]\\d{0,14}$`),
      `must be the id of a ${kind}, such as ${prefix}-12`,
    );
}

export const TaskName = numbered('t', 'task').meta({ id: 'TaskName', examples: ['t-12'] });
export const ThreadName = numbered('th', 'thread').meta({ id: 'ThreadName', examples: ['th-11'] });
export const RunName = numbered('r', 'run').meta({ id: 'RunName', examples: ['r-40'] });
export const WorkerName = numbered('w', 'worker').meta({ id: 'WorkerName', examples: ['w-7'] });

/** Names appear in paths, branches and container names, so they must be valid in all of them. */
export const Name = z
  .string()
  .regex(
    /^(?!.*\.\.)[a-z0-9][a-z0-9._-]{0,63}$/,
    'must be 1 to 64 characters of a-z, 0-9, ".", "_" and "-", start with a letter or digit, and not contain ".."',
  )
  .meta({ id: 'Name' });

/** Grows with every claim; a call about a run carries the fence from its claim. */
export const Fence = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

/** The line of a file that declares something. */
export const Declared = z.object({ file: z.string(), line: z.int() });

/** Times are sent in UTC. */
export const Time = z.string().meta({ id: 'Time', format: 'date-time' });

export const TimeInput = z.iso.datetime({
  offset: true,
  error: 'must be a time such as 2026-03-01T12:00:00Z',
});

const STORABLE = 'must not contain U+0000 or an unpaired surrogate';

/** Databases refuse NUL, and half a surrogate pair does not survive encoding as UTF-8. */
function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/*
 * What a check of ours accepts, for the OpenAPI document. The checks do not use these patterns: on a
 * text of 16 MB they take a second or overflow the stack.
 */
const STORABLE_PATTERN = { pattern: '^[^\\u0000\\p{Cs}]*$' };
const NOT_BLANK_PATTERN = { pattern: '\\S' };
const ONE_LINE_PATTERN = { pattern: '^\\P{Cc}*$' };

/** Text of limited length, counted in code points as JSON schemas do. */
export function characters(most: number) {
  return z
    .string()
    .refine((value) => fits(value, most), {
      error: `must have at most ${most} characters`,
      abort: true,
    })
    .meta({ maxLength: most });
}

function fits(value: string, most: number): boolean {
  if (value.length <= most) return true;
  return value.length <= 2 * most && [...value].length <= most;
}

/** Free text of limited length. */
export function text(most: number) {
  return characters(most)
    .refine(isStorable, STORABLE)
    .meta({ allOf: [STORABLE_PATTERN] });
}

/** Text that must not be empty. */
export function line(most: number) {
  return text(most)
    .refine((value) => value.trim() !== '', 'must not be empty')
    .meta({ minLength: 1, allOf: [STORABLE_PATTERN, NOT_BLANK_PATTERN] });
}

/** One line for people: characters that could move a terminal's cursor are refused. */
export const Title = line(300)
  .refine((title) => !/\p{Cc}/u.test(title), 'must be one line without control characters')
  .meta({ allOf: [STORABLE_PATTERN, NOT_BLANK_PATTERN, ONE_LINE_PATTERN] });

const MAX_BODY_CHARACTERS = 262_144;
export const Body = text(MAX_BODY_CHARACTERS);

export const Labels = z.array(line(100)).max(100);

export const Size = z.enum(SIZES).meta({ id: 'Size' });

/** As a person types it. */
export const SizeInput = z
  .string()
  .regex(
    new RegExp(`^(${SIZES.map(inEitherCase).join('|')})$`),
    `must be ${SIZES.slice(0, -1).join(', ')} or ${SIZES.at(-1)}`,
  )
  .toUpperCase()
  .pipe(Size);

function inEitherCase(word: string): string {
  return [...word].map((letter) => `[${letter.toLowerCase()}${letter}]`).join('');
}

export const TaskState = z.enum(TASK_STATES).meta({ id: 'TaskState' });

export const Pause = z
  .object({ since: Time, by: z.string(), because: z.string().nullable() })
  .meta({ id: 'Pause' });

/** Why an operator does something; the event records it. */
export const ReasonBody = z.strictObject({ because: text(1_000).optional() });

/** The number of tasks in each state. */
export const Counts = z.object(perState(() => z.int())).meta({ id: 'Counts' });

export function perState<T>(make: (state: (typeof TASK_STATES)[number]) => T) {
  return Object.fromEntries(TASK_STATES.map((state) => [state, make(state)])) as {
    [State in (typeof TASK_STATES)[number]]: T;
  };
}

const NO_LINK = 'must be an http or https address';

/** Links to pull requests and issues are rendered as links, so only http(s) is accepted. */
export const Link = z
  .url({ protocol: /^https?$/, error: NO_LINK })
  .regex(/^[hH][tT][tT][pP][sS]?:\/\/\S+$/, NO_LINK)
  .refine((value) => fits(value, 2_000), 'must have at most 2000 characters')
  .meta({ maxLength: 2_000 });
