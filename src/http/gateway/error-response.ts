import type { ServerResponse } from 'node:http';
import type { Instant } from '../../domain/ids.ts';
import type { ModelFailure } from '../../domain/provider-limits.ts';
import type { Refusal } from '../../domain/refusal.ts';
import { PROBLEMS, type Refused } from '../problem.ts';
import { REFUSAL_STATUS } from '../refusal-status.ts';

/** Why a call failed, for the worker; the agent reads the body. */
export const FAILURE_HEADER = 'x-guildhall-failure';
/** When a limit resets, in milliseconds since 1970. */
export const RESETS_HEADER = 'x-guildhall-resets-at';

interface GatewayError {
  readonly status: number;
  readonly failure: ModelFailure | 'ceiling' | 'stale_fence' | 'away';
  readonly because: string;
  readonly resetsAt?: Instant | null;
}

/** Answers in the error format that the provider's clients understand. */
export function sendGatewayError(response: ServerResponse, error: GatewayError): number {
  const { status, failure, because, resetsAt = null } = error;
  // Closing while the client still sends would reset the connection before it reads why.
  response.req.resume();
  response.writeHead(status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-should-retry': status === 429 || status >= 500 ? 'true' : 'false',
    [FAILURE_HEADER]: failure,
    ...(resetsAt !== null && { [RESETS_HEADER]: String(resetsAt) }),
    ...(status === 429 && { 'retry-after': '1' }),
  });
  response.end(
    JSON.stringify({
      type: 'error',
      error: { type: KINDS[status] ?? 'api_error', message: because },
    }),
  );
  return status;
}

const KINDS: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'permission_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
};

export function fromRefusal({ refused, because }: Refusal): GatewayError {
  const failure = FAILURES[refused] ?? 'refused';
  return { status: REFUSAL_STATUS[refused], failure, because: `guildhall: ${because}` };
}

const FAILURES: Readonly<Partial<Record<Refusal['refused'], GatewayError['failure']>>> = {
  over_budget: 'ceiling',
  stale_fence: 'stale_fence',
  not_your_run: 'stale_fence',
};

export function fromProblem({ problem, detail }: Refused): GatewayError {
  const [status] = PROBLEMS[problem];
  return { status, failure: failureOf(problem, status), because: `guildhall: ${detail}` };
}

/** A worker that is no longer registered holds no run either. */
function failureOf(code: Refused['problem'], status: number): GatewayError['failure'] {
  if (code === 'worker_dismissed' || code === 'unauthenticated') return 'stale_fence';
  return status >= 500 ? 'away' : 'refused';
}
