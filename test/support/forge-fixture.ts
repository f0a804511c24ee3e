import { createSign } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import {
  type ForgeEmulator,
  type ForgeKind,
  startForgeEmulator,
} from '../../src/adapters/forge-emulator/emulator.ts';
import { PATH } from './git-fixture.ts';
import { githubFaults } from './github-contract.ts';
import { serving } from './serving.ts';
import { tempFolder } from './temp-folder.ts';

/** A delivery as the receiver of a hook gets it. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly raw: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at payloads of every kind.
  readonly body: any;
  /** `event action`, or the event alone. */
  readonly name: string;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at answers of every kind.
  readonly body: any;
}

export type ForgeClient = (method: string, path: string, body?: unknown) => Promise<Reply>;

/** An emulated forge with a receiver for its hooks. On disposal everything it exchanged must have been right. */
export interface ForgeFixture extends AsyncDisposable {
  readonly forge: ForgeEmulator;
  readonly folder: string;
  readonly hookUrl: string;
  readonly received: readonly Received[];
  client(token: string | null, headers?: Readonly<Record<string, string>>): ForgeClient;
}

export const HOOK_SECRET = 'hush';

export async function forgeFixture(
  kind: ForgeKind,
  more: { readonly now?: () => number; readonly rateLimit?: number } = {},
): Promise<ForgeFixture> {
  const temp = tempFolder();
  const faults: string[] = [];
  const receiver = await hookReceiver();
  const forge = await startForgeEmulator({
    ...{ kind, folder: temp.file('forge'), path: PATH, ...more },
    onExchange: (exchange) => {
      if (kind === 'github') faults.push(...githubFaults(exchange));
    },
  });
  return {
    ...{ forge, folder: temp.path, hookUrl: receiver.url, received: receiver.received },
    client: (token, headers = {}) => clientOf(forge.apiUrl, token, headers),
    async [Symbol.asyncDispose]() {
      await forge.close();
      await receiver[Symbol.asyncDispose]();
      temp[Symbol.dispose]();
      if (faults.length > 0) throw new Error([...new Set(faults)].join('\n'));
    },
  };
}

/** Takes in what hooks send. */
export interface HookReceiver extends AsyncDisposable {
  readonly url: string;
  readonly received: readonly Received[];
  /** Waits for a delivery, which may have come already. */
  until(isIt: (received: Received) => boolean): Promise<Received>;
}

export async function hookReceiver(): Promise<HookReceiver> {
  const received: Received[] = [];
  const arrivals = new EventTarget();
  const server = await serving(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const raw = Buffer.concat(chunks).toString('utf8');
    const body = JSON.parse(raw);
    const event = String(request.headers['x-github-event']);
    const name = body.action === undefined ? event : `${event} ${body.action}`;
    received.push({ headers: request.headers, raw, body, name });
    response.writeHead(202).end();
    arrivals.dispatchEvent(new Event('arrival'));
  });
  return {
    url: server.url,
    received,
    async until(isIt) {
      for (;;) {
        const found = received.find(isIt);
        if (found) return found;
        await once(arrivals, 'arrival');
      }
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Calls with a token, and gives back whatever is answered. */
export function clientOf(
  url: string,
  token: string | null,
  more: Readonly<Record<string, string>>,
): ForgeClient {
  const own = token === null ? more : { Authorization: `Bearer ${token}`, ...more };
  return async (method, path, body) => {
    const response = await fetch(`${url}${path}`, {
      method,
      redirect: 'manual',
      headers: body === undefined ? own : { 'Content-Type': 'application/json', ...own },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? JSON.parse(text) : text,
    };
  };
}

/** What an App signs to be itself. */
export function appJwt(id: number, privateKey: string, now: number = Date.now()): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const iat = Math.floor(now / 1_000) - 30;
  const text = `${part({ alg: 'RS256', typ: 'JWT' })}.${part({ iat, exp: iat + 300, iss: id })}`;
  return `${text}.${createSign('RSA-SHA256').update(text).sign(privateKey).toString('base64url')}`;
}
