import { type Answer, type Call, pageOf } from '../http/answer.ts';

const PAGING = { size: 'limit', standard: 30, most: 50 };

/** A list as Gitea pages it: never more than 50, and how many there are in a header. */
export function listed<T>(call: Call, all: readonly T[], show: (item: T) => unknown): Answer {
  const { items, headers } = pageOf(call, all, PAGING);
  return {
    status: 200,
    body: items.map(show),
    headers: { ...headers, 'X-Total-Count': String(all.length) },
  };
}

/** A list that is never cut. */
export function whole<T>(all: readonly T[], show: (item: T) => unknown): Answer {
  const headers = { 'X-Total-Count': String(all.length) };
  return { status: 200, body: all.map(show), headers };
}
