import type { z } from 'zod';
import { type CompiledCheck, compileCheck, UNDECIDED } from './compile-check.ts';
import { didYouMean } from './did-you-mean.ts';

/** One mistake in a request, and its location. */
export interface Mistake {
  /** `depends_on[1]`, `[3].title`; empty for the whole value. */
  readonly path: string;
  readonly message: string;
}

type Validated<T> =
  | { readonly value: T; readonly mistakes?: undefined }
  /** `total` counts those that are not listed too. */
  | { readonly mistakes: readonly Mistake[]; readonly total: number };

/** A person reads a few. A request of a megabyte can hold hundreds of thousands. */
export const MAX_MISTAKES = 20;

/** Returns the parsed value, or the first mistakes in it and how many there are. */
export function validate<S extends z.ZodType>(schema: S, value: unknown): Validated<z.output<S>> {
  const plain = compiledCheckOf(schema)(value);
  if (plain !== UNDECIDED) return { value: plain as z.output<S> };
  return validateBySchema(schema, value);
}

const compiled = new WeakMap<z.ZodType, CompiledCheck>();

function compiledCheckOf(schema: z.ZodType): CompiledCheck {
  const known = compiled.get(schema) ?? compileCheck(schema);
  compiled.set(schema, known);
  return known;
}

/** Returns the same for valid input, and knows what is wrong with the rest. */
export function validateBySchema<S extends z.ZodType>(
  schema: S,
  value: unknown,
): Validated<z.output<S>> {
  const parsed = schema.safeParse(value, { error: issueDescriber() });
  if (parsed.success) return { value: parsed.data };
  const mistakes: Mistake[] = [];
  const total = addMistakes(mistakes, parsed.error.issues, []);
  return { mistakes, total };
}

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** Lists mistakes up to the limit, and counts them all. */
function addMistakes(mistakes: Mistake[], issues: readonly Issue[], above: Path): number {
  let total = 0;
  for (const issue of issues) total += addIssue(mistakes, issue, [...above, ...issue.path]);
  return total;
}

function addIssue(mistakes: Mistake[], issue: Issue, path: Path): number {
  const room = MAX_MISTAKES - mistakes.length;
  if (issue.code === 'unrecognized_keys') {
    const messages = room > 0 ? issue.message.split('\n') : [];
    for (const [at, message] of messages.slice(0, room).entries()) {
      mistakes.push({ path: spellPath([...path, issue.keys[at] ?? '']), message });
    }
    return issue.keys.length;
  }
  if (issue.code === 'invalid_union') {
    const branch = meantBranch(issue.errors);
    if (branch) return addMistakes(mistakes, branch, path);
  }
  if (room > 0) mistakes.push({ path: spellPath(path), message: issue.message });
  return 1;
}

/** Of one or many, picks the branch of the right type, whatever else is wrong with it. */
function meantBranch(branches: readonly (readonly Issue[])[]) {
  return branches.find((issues) => issues.every(({ path }) => path.length > 0)) ?? branches[0];
}

/** Each suggestion compares the caller's word with all known ones, so a request gets only so many. */
const MAX_SUGGESTIONS = 200;

function issueDescriber() {
  let left = MAX_SUGGESTIONS;
  const suggestion = (word: string, known: readonly string[]): string => {
    left -= 1;
    return left < 0 ? '' : didYouMean(word, known);
  };
  return (issue: z.core.$ZodRawIssue) => describeIssue(issue, suggestion);
}

type Suggestion = (word: string, known: readonly string[]) => string;

function describeIssue(issue: z.core.$ZodRawIssue, suggestion: Suggestion): string | undefined {
  switch (issue.code) {
    case 'unrecognized_keys':
      return unknownKeys(issue.keys, knownKeys(issue.inst), suggestion);
    case 'invalid_type':
      if (issue.input === undefined) return 'is missing';
      return `must be ${KINDS[issue.expected] ?? issue.expected}`;
    case 'too_small':
      return bound('at least', Number(issue.minimum), issue.origin);
    case 'too_big':
      return bound('at most', Number(issue.maximum), issue.origin);
    case 'invalid_value':
      return oneOf(issue.values.map(String), issue.input, suggestion);
    default:
      return undefined;
  }
}

function oneOf(known: readonly string[], sent: unknown, suggestion: Suggestion): string {
  const all = `must be one of ${known.join(', ')}`.replace(/, ([^,]+)$/, ' or $1');
  return typeof sent === 'string' ? `${all}${suggestion(sent, known)}` : all;
}

/** One line for each key that can be listed. */
function unknownKeys(
  keys: readonly string[],
  known: readonly string[],
  suggestion: Suggestion,
): string {
  const listed = keys.slice(0, MAX_MISTAKES);
  return listed.map((key) => `is not a known field${suggestion(key, known)}`).join('\n');
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
