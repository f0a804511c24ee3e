import assert from 'node:assert/strict';
import { Problem } from '../../src/api/problem.ts';
import type { Answer as Described } from '../../src/api/route.ts';
import { validate } from '../../src/api/validate.ts';
import { createRouter } from '../../src/http/router.ts';
import type { Answer, Caller } from './caller.ts';

const findRoute = createRouter();

/** A caller that compares every response with the table of routes. */
export function checked(caller: Caller): Caller {
  const call = caller.call.bind(caller);
  caller.call = async (method, path, body, options) => {
    const answer = await call(method, path, body, options);
    compare(method, path, answer);
    return answer;
  };
  return caller;
}

function compare(method: string, path: string, { status, body, headers }: Answer): void {
  const where = `${method} ${path} → ${status}`;
  if (headers['content-type'] === 'application/problem+json') {
    const problem = validate(Problem, body);
    assert.equal(problem.mistakes, undefined, `${where} is no problem document`);
    assert.equal(body.status, status, where);
    return;
  }
  const found = findRoute(method, path.split('?', 1)[0] ?? '');
  if (!found || !('route' in found)) return;
  const described: Described | undefined = found.route.answers[status];
  assert.ok(described, `${where} is not in the table of routes: ${JSON.stringify(body)}`);
  if (!described.body || described.mediaType) return;
  const { mistakes } = validate(described.body, body);
  assert.equal(mistakes, undefined, `${where} is not as described: ${JSON.stringify(mistakes)}`);
}
