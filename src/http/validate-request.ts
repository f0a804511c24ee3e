import { z } from 'zod';
import type { Route } from '../api/route.ts';
import { type Mistake, validate } from '../api/validate.ts';
import { parseJson } from './body.ts';
import { isProblem, problem, type Refused } from './problem.ts';
import type { Match } from './router.ts';

interface Input {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

interface Sent {
  readonly match: Match;
  readonly search: string;
  readonly body: Buffer;
}

const NO_FIELDS = z.strictObject({});

/** Validates the request against the route table: returns the input, or the mistakes in all its parts. */
export function readInput({ match: { route, params }, search, body }: Sent): Input | Refused {
  const json = parseJson(body);
  if (isProblem(json)) return json;
  const mistakes: Mistake[] = [];
  let total = 0;
  const check = (schema: z.ZodType | undefined, value: unknown): unknown => {
    const checked = validate(schema ?? NO_FIELDS, value);
    if (!checked.mistakes) return checked.value;
    mistakes.push(...checked.mistakes);
    total += checked.total;
    return undefined;
  };
  const input = {
    params: route.params && check(route.params, decoded(params)),
    query: route.query || search !== '' ? check(route.query, queryIn(search)) : undefined,
    body: takesBody(route, body) ? check(route.body, json.value) : undefined,
  };
  if (mistakes.length === 0) return input;
  return problem('invalid_input', sentence(mistakes, total), { mistakes, total });
}

/** A query mistake that only the board can detect, as an answer; undefined if there is none. */
export function invalid(mistake: Mistake | undefined): Refused | undefined {
  if (!mistake) return undefined;
  const { path, message } = mistake;
  return problem('invalid_input', `${path}: ${message}`, { mistakes: [mistake] });
}

/** An unexpected body is a mistake too. */
function takesBody(route: Route, body: Buffer): boolean {
  return route.body !== undefined || body.length > 0;
}

function queryIn(search: string): Record<string, string> {
  return search === '' ? {} : Object.fromEntries(new URLSearchParams(search));
}

function decoded(params: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, decodedText(value)]),
  );
}

/** Badly encoded text stays as it is, and then matches none of our names. */
function decodedText(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function sentence([first]: readonly Mistake[], total: number): string {
  const more = total - 1;
  const where = first?.path === '' ? 'it' : first?.path;
  return `${where} ${first?.message}${more > 0 ? `, and ${more} more` : ''}`;
}
