import type { z } from 'zod';
import { nearest } from '../api/did-you-mean.ts';
import type { Path } from './mistake.ts';

export interface Violation {
  readonly path: Path;
  readonly message: string;
  /** Whether the mistake is in the key or in its value. */
  readonly at: 'key' | 'value';
}

interface Context {
  /** The keys that are allowed at a path. */
  readonly keysAt: (path: Path) => readonly string[];
  readonly isWritten: (path: Path) => boolean;
}

/** Describes what a schema found wrong, without repeating the value. */
export function violationsIn(issue: z.core.$ZodIssue, context: Context): readonly Violation[] {
  const path = issue.path.filter((step) => typeof step !== 'symbol');
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownKey(path, key, context));
    case 'invalid_key':
      return [{ path, at: 'key', message: issue.issues[0]?.message ?? 'is not a valid name' }];
    default:
      if (!context.isWritten(path)) return [{ path, at: 'key', message: 'is missing' }];
      return [{ path, at: 'value', message: messageOf(issue) }];
  }
}

function unknownKey(path: Path, key: string, { keysAt }: Context): Violation {
  const known = keysAt(path);
  const suggestion = nearest(key, known);
  const hint = suggestion ? `did you mean ${suggestion}?` : `known keys: ${known.join(', ')}`;
  return { path: [...path, key], at: 'key', message: `is not a known key (${hint})` };
}

function messageOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.message.startsWith('Invalid')
        ? `must be ${KINDS[issue.expected] ?? issue.expected}`
        : issue.message;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'invalid_union':
      return oneOf(issue);
    case 'too_small':
      return bound(issue, `must be at least ${issue.minimum}`);
    case 'too_big':
      return bound(issue, `must be at most ${issue.maximum}`);
    default:
      return issue.message;
  }
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping of keys to values',
  record: 'a mapping of names to values',
};

function oneOf(issue: Extract<z.core.$ZodIssue, { code: 'invalid_union' }>): string {
  const options = 'options' in issue && Array.isArray(issue.options) ? issue.options : [];
  return options.length > 0 ? `must be one of ${options.join(', ')}` : 'is not valid here';
}

/** A schema's own message is kept. */
function bound({ message }: z.core.$ZodIssue, plain: string): string {
  return message.startsWith('Too') ? plain : message;
}
