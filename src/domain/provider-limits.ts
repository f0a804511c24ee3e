import type { Board } from './board.ts';
import { type Decision, decide, type Now } from './decision.ts';
import type { Duration, Instant } from './ids.ts';

/** Why a model could not be asked, in the words a worker acts on. */
export type ModelFailure = 'quota' | 'auth' | 'overloaded' | 'refused';

/** What a provider says when it does not answer. */
export interface ProviderError {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The kind of error its body names, and the words with it. */
  readonly kind: string;
  readonly message: string;
}

export interface ProviderFailure {
  readonly failure: ModelFailure;
  /** Until when it is no use to ask again; null when asking again would change nothing. */
  readonly until: Instant | null;
  readonly because: string;
}

/** What follows for the invoker from an answer that is none. */
export function classifyProviderError(declined: ProviderError, at: Instant): ProviderFailure {
  const failure = failureOf(declined);
  const because = `the provider answered ${declined.status}${declined.kind ? ` ${declined.kind}` : ''}`;
  if (failure === 'refused') return { failure, until: null, because };
  const told = failure === 'auth' ? undefined : resetIn(declined, at);
  const until = Math.min(Math.max(told ?? at + USUAL[failure], at + SHORTEST), at + LONGEST);
  return { failure, until, because };
}

/** Parks the invoker, so that nothing more is started on it until then. */
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

/** Calls that fail together name moments that differ by a little; one event is enough for them. */
const SAME: Duration = 2_000;
const SHORTEST: Duration = 1_000;
/** No window of a provider is longer than a week. */
const LONGEST: Duration = 8 * 86_400_000;

/** Where the provider does not say. A credential that was refused waits for a person. */
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

/** The latest moment of what is used up: it is no use to ask before all of it is there again. */
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

/** A date, or seconds since 1970. What has passed says nothing. */
function momentIn(value: string | undefined, at: Instant): Instant | undefined {
  if (value === undefined) return undefined;
  const moment = /^\d{9,11}$/.test(value) ? Number(value) * 1_000 : Date.parse(value);
  return Number.isNaN(moment) || moment <= at ? undefined : moment;
}
