import type { z } from 'zod';
import { didYouMean } from './did-you-mean.ts';

/** One mistake in a request, and its location. */
export interface Mistake {
  /** `depends_on[1]`, `[3].title`; empty for the whole value. */
  readonly path: string;
  readonly message: string;
}

type Validated<T> =
  | { readonly value: T; readonly mistakes?: undefined }
  | { readonly mistakes: readonly Mistake[] };

/** Returns the parsed value, or every mistake in it. */
export function validate<S extends z.ZodType>(schema: S, value: unknown): Validated<z.output<S>> {
  const parsed = schema.safeParse(value, { error: describeIssue });
  if (parsed.success) return { value: parsed.data };
  return { mistakes: parsed.error.issues.flatMap((issue) => mistakesIn(issue, [])) };
}

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

function mistakesIn(issue: Issue, above: Path): readonly Mistake[] {
  const path = [...above, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key, at) => ({
      path: spellPath([...path, key]),
      message: issue.message.split('\n')[at] ?? issue.message,
    }));
  }
  if (issue.code === 'invalid_union') {
    const branch = meantBranch(issue.errors);
    if (branch) return branch.flatMap((inner) => mistakesIn(inner, path));
  }
  return [{ path: spellPath(path), message: issue.message }];
}

/** Of one or many, picks the branch of the right type, whatever else is wrong with it. */
function meantBranch(branches: readonly (readonly Issue[])[]) {
  return branches.find((issues) => issues.every(({ path }) => path.length > 0)) ?? branches[0];
}

function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownKey(key, knownKeys(issue.inst))).join('\n');
    case 'invalid_type':
      if (issue.input === undefined) return 'is missing';
      return `must be ${KINDS[issue.expected] ?? issue.expected}`;
    case 'too_small':
      return bound('at least', Number(issue.minimum), issue.origin);
    case 'too_big':
      return bound('at most', Number(issue.maximum), issue.origin);
    case 'invalid_value':
      return oneOf(issue.values.map(String), issue.input);
    default:
      return undefined;
  }
}

function oneOf(known: readonly string[], sent: unknown): string {
  const all = `must be one of ${known.join(', ')}`.replace(/, ([^,]+)$/, ' or $1');
  return typeof sent === 'string' ? `${all}${didYouMean(sent, known)}` : all;
}

function unknownKey(key: string, known: readonly string[]): string {
  return `is not a known field${didYouMean(key, known)}`;
}

function knownKeys(schema: unknown): readonly string[] {
  const shape = (schema as { readonly shape?: object } | undefined)?.shape;
  return shape ? Object.keys(shape) : [];
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

function bound(which: 'at least' | 'at most', limit: number, origin: string): string {
  if (origin === 'string') return `must have ${which} ${limit} character${limit === 1 ? '' : 's'}`;
  if (origin === 'array') return `must have ${which} ${limit} ${limit === 1 ? 'entry' : 'entries'}`;
  return `must be ${which} ${limit}`;
}

export function spellPath(path: Path): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else text += text === '' ? shortened(String(step)) : `.${shortened(String(step))}`;
  }
  return text;
}

/** A key is the caller's text and may be a megabyte long. */
function shortened(key: string): string {
  return key.length > 80 ? `${key.slice(0, 80)}…` : key;
}
