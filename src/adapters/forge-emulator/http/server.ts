import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gitRequestOf } from '../git/http-backend.ts';
import { EmulatorRefused } from '../state/emulator-refused.ts';
import type { Caller } from '../state/model.ts';
import { fullNameOf, type World } from '../state/world.ts';
import type { Answer, Call, Urls } from './answer.ts';
import { callerOf } from './credentials.ts';
import type { Deliveries } from './deliveries.ts';
import type { Dialect } from './dialect.ts';
import type { Fault, InjectedFaults } from './faults.ts';
import { answerGit } from './git-requests.ts';
import type { RateBudget } from './rate-budget.ts';
import { readBody } from './read-body.ts';
import { createRouter } from './router.ts';

/** One request and its answer, for whoever checks them. */
export interface Exchange {
  readonly method: string;
  /** Without the prefix of the API. */
  readonly path: string;
  /** The operation, as `GET /repos/{owner}/{repo}`; null where the emulator has none. */
  readonly operation: string | null;
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly status: number;
  readonly answer: unknown;
  /** It went wrong because it was told to. */
  readonly isInjected: boolean;
}

interface ServerNeeds {
  readonly dialect: Dialect;
  readonly world: World;
  readonly urls: Urls;
  readonly deliveries: Deliveries;
  readonly faults: InjectedFaults;
  readonly rate: RateBudget;
  readonly onExchange: (exchange: Exchange) => void;
}

type RequestHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export function createHandler(needs: ServerNeeds): RequestHandler {
  const route = createRouter(needs.dialect.routes);
  return async (request, response) => {
    const url = new URL(request.url ?? '/', needs.urls.web);
    const git = gitRequestOf(url);
    if (git) return answerGit(needs, git, { request, response });
    const path = pathOf(needs, url);
    const method = request.method ?? 'GET';
    const body = await readBody(request);
    const matched = path === null ? null : route(method, path);
    const operation = matched ? `${method} ${matched.route.path}` : null;
    const fault = operation === null ? null : needs.faults.next(operation);
    const refused = fault ? beforeDoing(needs.dialect, fault) : null;
    if (refused === 'hang') return;
    if (refused === 'drop') return void request.socket.destroy();
    const answer =
      refused ??
      (await answerOf(needs, request, (caller) => {
        if (!matched) throw new EmulatorRefused('not_found', url.pathname);
        const { web } = needs.urls;
        const call: Call = {
          ...{ ...needs, caller, params: matched.params, query: url.searchParams, body },
          url: `${web}${url.pathname}`,
        };
        return moved(needs, call, path ?? '') ?? matched.route.answer(call);
      }));
    const { query, isInjected } = { query: url.searchParams, isInjected: refused !== null };
    const { status, body: answered } = answer;
    needs.onExchange({
      ...{ method, path: path ?? url.pathname, operation, query, body, isInjected },
      ...{ status, answer: answered },
    });
    if (fault?.is === 'drop') return void request.socket.destroy();
    send(needs, { request, response }, answer);
  };
}

/** What a fault answers instead of doing anything; null if the work is done first. */
function beforeDoing(dialect: Dialect, fault: Fault): Answer | 'hang' | 'drop' | null {
  switch (fault.is) {
    case 'hang':
      return 'hang';
    case 'drop':
      return fault.done ? null : 'drop';
    case 'status':
      return dialect.failure({ status: fault.status, retryAfter: null, isSecondary: false });
    case 'too_many':
      return dialect.failure({ status: 429, retryAfter: fault.retryAfter, isSecondary: false });
    case 'secondary_limit':
      return dialect.failure({ status: 403, retryAfter: fault.retryAfter, isSecondary: true });
  }
}

async function answerOf(
  { dialect, world, rate }: ServerNeeds,
  request: IncomingMessage,
  answer: (caller: Caller) => Answer | Promise<Answer>,
): Promise<Answer> {
  try {
    const caller = callerOf(world, request.headers);
    const isFree = request.url?.endsWith('/rate_limit') ?? false;
    if (!isFree && !rate.take()) {
      return dialect.failure({ status: 403, retryAfter: null, isSecondary: false });
    }
    return await answer(caller);
  } catch (error) {
    if (error instanceof EmulatorRefused) return dialect.refusal(error);
    throw error;
  }
}

/** The path of the operation, or null where the address is not one of the API. */
function pathOf({ dialect, world }: ServerNeeds, { pathname }: URL): string | null {
  const { prefix, prefixIsOptional } = dialect;
  const isPrefixed = pathname.startsWith(`${prefix}/`);
  if (!isPrefixed && !prefixIsOptional) return pathname.startsWith('/api/') ? pathname : null;
  const path = isPrefixed ? pathname.slice(prefix.length) : pathname;
  const [, id, rest = ''] = /^\/repositories\/(\d+)(\/.*)?$/.exec(path) ?? [];
  const repository = world.repositories.find((each) => String(each.id) === id);
  return repository ? `/repos/${fullNameOf(repository)}${rest}` : path;
}

function moved({ dialect, world, urls }: ServerNeeds, call: Call, path: string): Answer | null {
  const { owner, repo } = call.params;
  if (owner === undefined || repo === undefined) return null;
  const name = `${owner}/${repo}`.toLowerCase();
  const isNow = world.repositories.some((each) => fullNameOf(each).toLowerCase() === name);
  const repository = world.repositories.find(({ formerNames }) => formerNames.has(name));
  if (isNow || !repository) return null;
  const { status, byId } = dialect.moved;
  const place = byId ? `/repositories/${repository.id}` : `/repos/${fullNameOf(repository)}`;
  const rest = path.split('/').slice(4).join('/');
  const url = `${urls.api}${place}${rest === '' ? '' : `/${rest}`}`;
  return { status, headers: { Location: url }, body: { message: 'Moved Permanently', url } };
}

function send(
  { dialect, rate }: ServerNeeds,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  { status, body, text, headers = {} }: Answer,
): void {
  const content = text ?? (body === undefined ? '' : JSON.stringify(body));
  const type = text === undefined ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8';
  const etag = `W/"${createHash('sha256').update(content).digest('hex')}"`;
  const isRead = request.method === 'GET' && status === 200 && dialect.revalidates;
  const isSame = isRead && request.headers['if-none-match'] === etag;
  if (isSame) rate.giveBack();
  const own = { ...dialect.rateHeaders(rate), ...(isRead ? { ETag: etag } : {}), ...headers };
  if (isSame) return void response.writeHead(304, own).end();
  response.writeHead(status, content === '' ? own : { 'Content-Type': type, ...own });
  response.end(content);
}
