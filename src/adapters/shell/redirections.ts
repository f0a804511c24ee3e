import type { Redirect } from 'unbash';
import type { Arg, Redirection } from '../../domain/parsed-command.ts';

/** What a redirection opens; nothing when it only duplicates an open descriptor. */
export function redirectionOf(
  { operator }: Redirect,
  targets: readonly Arg[],
): readonly Redirection[] {
  const joins = operator === '>&' || operator === '<&';
  return targets
    .filter(({ text, open }) => !(joins && open === null && /^(\d+-?|-)$/.test(text)))
    .map((target) => ({ way: WAYS[operator], target }));
}

const WAYS: Readonly<Record<Redirect['operator'], Redirection['way']>> = {
  '<': 'read',
  '<&': 'read',
  '<>': 'both',
  '>': 'write',
  '>>': 'write',
  '>|': 'write',
  '>&': 'write',
  '&>': 'write',
  '&>>': 'write',
};
