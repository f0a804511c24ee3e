import type { Problem } from '../api/problem.ts';
import { MAX_MISTAKES, type Mistake } from '../api/validate.ts';
import { REFUSALS, type Refusal } from '../domain/refusal.ts';
import { REFUSAL_STATUS } from './refusal-status.ts';

/** The closed list of ways a request can fail before the board's rules apply. */
export const PROBLEMS = {
  malformed_json: [400, 'the body is not JSON'],
  invalid_input: [400, 'the request is invalid'],
  bad_idempotency_key: [400, 'the Idempotency-Key is not 1 to 200 visible ASCII characters'],
  unauthenticated: [401, 'the token is missing or not valid'],
  worker_dismissed: [401, 'the worker was dismissed and must register again'],
  forbidden: [403, "the token's role does not allow this"],
  foreign_origin: [403, 'the request comes from a page of another site'],
  not_found: [404, 'this path does not exist'],
  method_not_allowed: [405, 'this path does not support this method'],
  body_too_large: [413, 'the body is too large'],
  unsupported_media_type: [415, 'the body must be application/json'],
  misdirected: [421, 'the hall does not serve this host name'],
  fault: [500, "internal error; look for the request id in the hall's log"],
  no_leader: [503, 'no leader: writes are refused'],
  store_unavailable: [503, 'the database does not respond'],
  no_space: [507, 'the database has no space for the change'],
  too_many_streams: [503, 'the limit of open event streams is reached'],
} as const satisfies Record<string, readonly [number, string]>;

type ProblemCode = keyof typeof PROBLEMS;

export interface Refused {
  readonly problem: ProblemCode;
  readonly detail: string;
  readonly mistakes?: readonly Mistake[];
  /** How many mistakes there are, if not all are listed. */
  readonly total?: number;
  readonly headers?: readonly string[];
}

export function problem(
  code: ProblemCode,
  detail: string,
  more: Pick<Refused, 'mistakes' | 'total' | 'headers'> = {},
): Refused {
  return { problem: code, detail, ...more };
}

export function isProblem(answer: unknown): answer is Refused {
  return typeof answer === 'object' && answer !== null && 'problem' in answer;
}

export function problemDocument(refused: Refused, request: string): Problem {
  const [status, title] = PROBLEMS[refused.problem];
  return documentOf({ ...refused, code: refused.problem, status, title }, request);
}

export function refusalDocument({ refused, because, mistakes }: Refusal, request: string): Problem {
  const [status, title] = [REFUSAL_STATUS[refused], REFUSALS[refused]];
  const detail = refused === 'key_reused' ? title : because;
  return documentOf({ code: refused, status, title, detail, mistakes }, request);
}

function documentOf(
  facts: {
    readonly code: string;
    readonly status: number;
    readonly title: string;
    readonly detail: string;
    readonly mistakes?: readonly Mistake[] | undefined;
    readonly total?: number;
  },
  request: string,
): Problem {
  return {
    type: `urn:guildhall:problem:${facts.code}`,
    title: facts.title,
    status: facts.status,
    detail: facts.detail,
    instance: `urn:guildhall:request:${request}`,
    code: facts.code,
    ...(facts.mistakes && listed(facts.mistakes, facts.total ?? facts.mistakes.length)),
  };
}

function listed(mistakes: readonly Mistake[], total: number) {
  const first = mistakes.slice(0, MAX_MISTAKES).map(({ path, message }) => ({ path, message }));
  const left = total - first.length;
  return { mistakes: first, ...(left > 0 && { more_mistakes: left }) };
}
