import type { Caller } from '../state/model.ts';
import type { World } from '../state/world.ts';
import type { Deliveries } from './deliveries.ts';
import type { RateBudget } from './rate-budget.ts';

/** One request to the REST API, with all that a route may need. */
export interface Call {
  readonly world: World;
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: unknown;
  /** The address of the request without its query. */
  readonly url: string;
  readonly urls: Urls;
  readonly deliveries: Deliveries;
  readonly rate: RateBudget;
}

export interface Urls {
  /** Pages for people, and git. */
  readonly web: string;
  readonly api: string;
}

export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Route {
  readonly method: string;
  /** Parameters in braces; `{ref}`, `{path}` and `{branch}` may have slashes. */
  readonly path: string;
  readonly answer: (call: Call) => Answer | Promise<Answer>;
}

export function ok(body: unknown): Answer {
  return { status: 200, body };
}

export function created(body: unknown): Answer {
  return { status: 201, body };
}

export const NOTHING: Answer = { status: 204 };

interface Paging {
  /** The query parameter that says how many. */
  readonly size: string;
  readonly standard: number;
  readonly most: number;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly headers: Readonly<Record<string, string>>;
}

/** The part of a list that was asked for, and the links to the others. */
export function pageOf<T>(call: Call, all: readonly T[], paging: Paging): Page<T> {
  const wished = Number(call.query.get(paging.size) ?? paging.standard);
  const size = Math.min(Math.max(wished || paging.standard, 1), paging.most);
  const page = Math.max(Number(call.query.get('page') ?? 1) || 1, 1);
  const last = Math.max(Math.ceil(all.length / size), 1);
  const linkTo = (number: number, rel: string) => {
    const query = new URLSearchParams(call.query);
    query.set('page', String(number));
    return `<${call.url}?${query}>; rel="${rel}"`;
  };
  const links = [
    ...(page > 1 ? [linkTo(page - 1, 'prev')] : []),
    ...(page < last ? [linkTo(page + 1, 'next'), linkTo(last, 'last')] : []),
    ...(page > 1 ? [linkTo(1, 'first')] : []),
  ];
  return {
    items: all.slice((page - 1) * size, page * size),
    headers: links.length > 0 ? { Link: links.join(', ') } : {},
  };
}

/** As forges write times: without milliseconds. */
export function isoTime(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
}

export function isoTimeOrNull(at: number | null): string | null {
  return at === null ? null : isoTime(at);
}
