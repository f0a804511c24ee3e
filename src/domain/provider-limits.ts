import type { Board } from './board.ts';
import { type Decision, decide, type Now } from './decision.ts';
import type { Duration, Instant } from './ids.ts';

/** Why a model call failed, in the categories that a worker acts on. */
export type ModelFailure = 'quota' | 'auth' | 'overloaded' | 'refused';

/** An error response from a provider. */
export interface ProviderError {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The error type and message in its body. */
  readonly kind: string;
  readonly message: string;
}

export interface ProviderFailure {
  readonly failure: ModelFailure;
  /** The earliest useful time for a retry; null when a retry would not help. */
  readonly until: Instant | null;
  readonly because: string;
}

/** What a provider's error response means for the invoker. */
export function classifyProviderError(declined: ProviderError, at: Instant): ProviderFailure {
  const failure = failureOf(declined);
  const because = `the provider answered ${declined.status}${declined.kind ? ` ${declined.kind}` : ''}`;
  if (failure === 'refused') return { failure, until: null, because };
  const resetAt = failure === 'auth' ? undefined : resetIn(declined, at);
  const until = Math.min(Math.max(resetAt ?? at + USUAL[failure], at + SHORTEST), at + LONGEST);
  return { failure, until, because };
}

/** Parks the invoker: no runs start on it until then. */
export function parkInvoker(
  board: Board,
  handle: string,
  { until, because }: ProviderFailure,
  now: Now,
): Decision<string> {
  const invoker = board.invokers.get(handle);
  if (!invoker || until === null || until <= now.at) return decide(handle, []);
  const isKnown = invoker.parkedUntil !== null && until < invoker.parkedUntil + SAME;
  return decide(
    handle,
    isKnown ? [] : [{ type: 'InvokerParked', invoker: handle, until, because }],
  );
}

/** Calls that fail together report slightly different times; one event covers them all. */
const SAME: Duration = 2_000;
const SHORTEST: Duration = 1_000;
/** A provider's window is at most a week. */
const LONGEST: Duration = 8 * 86_400_000;

/** Defaults when the provider gives no time. A refused credential waits for a person. */
const USUAL: Readonly<Record<Exclude<ModelFailure, 'refused'>, Duration>> = {
  quota: 60_000,
  overloaded: 15_000,
  auth: 15 * 60_000,
};

function failureOf({ status, kind, message }: ProviderError): ModelFailure {
  if (status === 429 || status === 402 || kind === 'billing_error') return 'quota';
  if (status === 400 && /credit balance/i.test(message)) return 'quota';
  if (status === 401 || status === 403) return 'auth';
  return status >= 500 ? 'overloaded' : 'refused';
}

/** The latest reset of all exhausted limits: a retry before that would fail. */
function resetIn({ headers }: ProviderError, at: Instant): Instant | undefined {
  const unified = momentIn(headers['anthropic-ratelimit-unified-reset'], at);
  if (unified !== undefined) return unified;
  const used = Object.keys(headers)
    .map((name) => /^(anthropic-ratelimit-.+)-remaining$/.exec(name)?.[1])
    .filter((name) => name !== undefined && headers[`${name}-remaining`] === '0')
    .map((name) => momentIn(headers[`${name}-reset`], at));
  const moments = [afterIn(headers['retry-after'], at), ...used];
  const known = moments.filter((moment) => moment !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}

/** Seconds from now, or a date. */
function afterIn(value: string | undefined, at: Instant): Instant | undefined {
  if (value === undefined) return undefined;
  return /^\d{1,9}$/.test(value) ? at + Number(value) * 1_000 : momentIn(value, at);
}

/** A date, or seconds since 1970. Times in the past are ignored. */
function momentIn(value: string | undefined, at: Instant): Instant | undefined {
  if (value === undefined) return undefined;
  const moment = /^\d{9,11}$/.test(value) ? Number(value) * 1_000 : Date.parse(value);
  return Number.isNaN(moment) || moment <= at ? undefined : moment;
}
