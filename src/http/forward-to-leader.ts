import {
  Agent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import { request as httpsRequest, Agent as SecureAgent } from 'node:https';
import type { Hall } from '../board/hall.ts';
import type { Duration } from '../domain/ids.ts';
import { problem, type Refused } from './problem.ts';

/** Marks a request that another node forwarded, which must not be forwarded again. */
export const FORWARDED_HEADER = 'x-guildhall-forwarded';

/** The leader's answer. */
export interface ForwardedResponse {
  readonly forwarded: true;
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: Buffer;
}

interface Forwarding {
  readonly request: IncomingMessage;
  readonly id: string;
  readonly body: Buffer;
  /** Sent along, so a change is not made twice if the leader dies after making it. */
  readonly key: string | undefined;
  /** True when the client is gone. */
  readonly isOver: () => boolean;
}

/** How long to wait for a new leader: an election takes three seconds, then the node catches up. */
const MAX_WAIT = 10_000;
const BETWEEN_TRIES = 100;
const CHECK_EVERY = 250;

/** Forwards requests to the leader. */
export interface Forwarder {
  /** The leader's answer; `here` when this node now leads. */
  forward(forwarding: Forwarding): Promise<ForwardedResponse | 'here' | Refused>;
  close(): void;
}

interface Agents {
  readonly plain: Agent;
  readonly secure: SecureAgent;
}

export function createForwarder(hall: Hall): Forwarder {
  const agents = {
    plain: new Agent({ keepAlive: true }),
    secure: new SecureAgent({ keepAlive: true }),
  };

  return {
    async forward(forwarding) {
      if (forwarding.request.headers[FORWARDED_HEADER] !== undefined) return NO_LEADER;
      let failing: Duration | undefined;
      while (!forwarding.isOver()) {
        if (hall.leading()) return 'here';
        const url = hall.leaderUrl();
        const forwarded =
          url === undefined ? undefined : await sendToLeader(hall, agents, url, forwarding);
        if (forwarded && forwarded.status !== 503) return forwarded;
        failing ??= hall.clock.monotonic();
        if (hall.fault() || hall.clock.monotonic() - failing > MAX_WAIT) return NO_LEADER;
        await new Promise<void>((resolve) => hall.clock.after(BETWEEN_TRIES, resolve));
      }
      return NO_LEADER;
    },
    close() {
      agents.plain.destroy();
      agents.secure.destroy();
    },
  };
}

/** Undefined when the leader went away or is no longer the leader. */
function sendToLeader(
  hall: Hall,
  agents: Agents,
  url: string,
  forwarding: Forwarding,
): Promise<ForwardedResponse | undefined> {
  const { request, body, isOver } = forwarding;
  const isSecure = url.startsWith('https:');
  return new Promise((resolve) => {
    const upstream = (isSecure ? httpsRequest : httpRequest)(`${url}${request.url}`, {
      method: request.method ?? 'GET',
      headers: headersFor(forwarding),
      agent: isSecure ? agents.secure : agents.plain,
    });
    const isObsolete = () => isOver() || !!hall.leading() || hall.leaderUrl() !== url;
    const watch = watching(hall, isObsolete, () => upstream.destroy());
    const done = (forwarded: ForwardedResponse | undefined) => {
      watch.cancel();
      resolve(forwarded);
    };
    upstream.on('error', () => done(undefined));
    upstream.on('close', () => done(undefined));
    upstream.on('response', (answer) => collect(answer, done));
    upstream.end(body);
  });
}

/** A suspended leader keeps its connections open without answering. */
function watching({ clock }: Hall, isObsolete: () => boolean, abort: () => void) {
  function check(): void {
    if (isObsolete()) abort();
    else timer = clock.after(CHECK_EVERY, check);
  }
  let timer = clock.after(CHECK_EVERY, check);
  return { cancel: () => timer.cancel() };
}

const NO_LEADER = problem('no_leader', 'no leader: writes are refused; try again');

function collect(
  answer: IncomingMessage,
  done: (forwarded: ForwardedResponse | undefined) => void,
): void {
  const chunks: Buffer[] = [];
  answer.on('data', (chunk: Buffer) => chunks.push(chunk));
  answer.on('error', () => done(undefined));
  answer.on('end', () => {
    done({
      forwarded: true,
      status: answer.statusCode ?? 502,
      headers: endToEnd(answer.rawHeaders),
      body: Buffer.concat(chunks),
    });
  });
}

const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'date',
]);

function endToEnd(raw: readonly string[]): readonly string[] {
  const headers: string[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name, value] = [raw[at] ?? '', raw[at + 1] ?? ''];
    if (!HOP_BY_HOP.has(name.toLowerCase())) headers.push(name, value);
  }
  return headers;
}

/** This node has checked the origin; to the leader, the request comes from this node. */
const CHECKED_HERE = new Set([
  ...HOP_BY_HOP,
  'host',
  'origin',
  'referer',
  'sec-fetch-site',
  'content-length',
  'expect',
]);

function headersFor({ request, id, body, key }: Forwarding): IncomingHttpHeaders {
  const headers = Object.entries(request.headers).filter(([name]) => !CHECKED_HERE.has(name));
  return {
    ...Object.fromEntries(headers),
    [FORWARDED_HEADER]: '1',
    'x-request-id': id,
    'content-length': String(body.length),
    ...(key !== undefined && { 'idempotency-key': key }),
  };
}
