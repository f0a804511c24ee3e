import { type CallBudget, ForgeFailed } from '../../ports/forge.ts';
import { EtagCache } from './etag-cache.ts';
import { RateBudget } from './rate-budget.ts';
import { MAX_PER_MINUTE, WriteLane } from './write-lane.ts';

export interface ForgeCall {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Below the base address, with its query. */
  readonly path: string;
  readonly body?: unknown;
  /** For calls that authenticate otherwise than most, such as those of an App. */
  readonly authorization?: string;
}

export interface ForgeAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly header: (name: string) => string | null;
}

interface ForgeClientNeeds {
  /** The name of the forge in the configuration, for messages. */
  readonly name: string;
  readonly baseUrl: string;
  /** Null for a call that needs no credential. */
  readonly authorize: (call: ForgeCall) => Promise<string | null>;
  readonly now: () => number;
  /** Headers that the forge asks for. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface ForgeClient {
  /** Resolves for answers that a caller can handle; throws `ForgeFailed` when the forge cannot answer now. */
  call(call: ForgeCall): Promise<ForgeAnswer>;
  callBudget(): CallBudget;
}

/** A forge that does not answer within this time is treated as away. */
const TIMEOUT = 20_000;
const MAX_BYTES = 20_000_000;

/** All calls to one forge: one at a time for writes, conditional for reads, with its limits respected. */
export function createForgeClient(needs: ForgeClientNeeds): ForgeClient {
  const etags = new EtagCache();
  const budget = new RateBudget(needs.now);
  const writes = new WriteLane(needs.now);

  async function send(call: ForgeCall): Promise<ForgeAnswer> {
    budget.require(needs.name);
    const cached = call.method === 'GET' ? etags.get(call.path) : undefined;
    const response = await fetchFrom(needs, call, cached?.etag);
    budget.note(response.headers);
    if (response.status === 304 && cached) return cached.answer;
    const answer = {
      status: response.status,
      body: await bodyOf(needs, response),
      header: headerOf(response),
    };
    refuseUnusable(needs, call, answer, budget);
    const etag = response.headers.get('etag');
    if (call.method === 'GET' && response.status === 200 && etag)
      etags.put(call.path, { etag, answer });
    return answer;
  }

  return {
    callBudget: () => ({
      writesInLastMinute: writes.recent(),
      maxWritesPerMinute: MAX_PER_MINUTE,
      rate: budget.shown(),
    }),
    call: (call) => (call.method === 'GET' ? send(call) : writes.run(() => send(call))),
  };
}

function headerOf(response: Response): ForgeAnswer['header'] {
  return (name) => response.headers.get(name);
}

async function fetchFrom(
  { name, baseUrl, authorize, headers }: ForgeClientNeeds,
  call: ForgeCall,
  etag: string | undefined,
): Promise<Response> {
  const authorization = call.authorization ?? (await authorize(call));
  try {
    return await fetch(`${baseUrl}${call.path}`, {
      method: call.method,
      headers: {
        ...headers,
        ...(authorization !== null && { authorization }),
        ...(etag !== undefined && { 'if-none-match': etag }),
        ...(call.body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT),
    });
  } catch (cause) {
    const because = reasonOf(cause);
    throw new ForgeFailed(`${name} did not answer ${call.method} ${call.path}: ${because}`, {
      retry: 'later',
      cause,
    });
  }
}

/** `fetch` hides the reason in the cause of its error. */
function reasonOf(fault: unknown): string {
  if (!(fault instanceof Error)) return String(fault);
  return fault.cause instanceof Error ? fault.cause.message : fault.message;
}

async function bodyOf({ name }: ForgeClientNeeds, response: Response): Promise<unknown> {
  let text: string;
  try {
    text = await response.text();
  } catch (cause) {
    throw new ForgeFailed(`${name} ended its answer early`, { retry: 'later', cause });
  }
  if (text.length > MAX_BYTES)
    throw new ForgeFailed(`${name} sent ${text.length} bytes`, { retry: 'never' });
  if (!/json/.test(response.headers.get('content-type') ?? '')) return text;
  try {
    return text === '' ? null : JSON.parse(text);
  } catch (cause) {
    throw new ForgeFailed(`${name} sent invalid JSON`, { retry: 'later', cause });
  }
}

/** Limits and outages are for everybody; other refusals mean something to the caller. */
function refuseUnusable(
  { name }: ForgeClientNeeds,
  { method, path }: ForgeCall,
  { status, body, header }: ForgeAnswer,
  budget: RateBudget,
): void {
  const said = messageIn(body);
  const text = `${name} answered ${status} to ${method} ${path}${said === '' ? '' : `: ${said}`}`;
  const waitFor = secondsIn(header('retry-after'));
  const isLimited =
    status === 429 || (status === 403 && (waitFor !== null || /rate limit|abuse/i.test(said)));
  if (isLimited)
    throw new ForgeFailed(text, { retry: 'later', waitFor: waitFor ?? budget.untilReset() });
  if (status >= 500 || status === 408) throw new ForgeFailed(text, { retry: 'later', waitFor });
  if (status === 401) {
    throw new ForgeFailed(`${text}; check the credential of this forge`, { retry: 'never' });
  }
}

export function messageIn(body: unknown): string {
  const message =
    typeof body === 'object' && body !== null && 'message' in body ? body.message : '';
  return typeof message === 'string' ? message.slice(0, 500) : '';
}

function secondsIn(header: string | null): number | null {
  const seconds = Number(header ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : null;
}
