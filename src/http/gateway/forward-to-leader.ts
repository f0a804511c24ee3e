import {
  Agent,
  request as httpRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http';
import { request as httpsRequest, Agent as SecureAgent } from 'node:https';
import type { Hall } from '../../board/hall.ts';
import type { Exchange } from '../exchange.ts';
import { FORWARDED_HEADER } from '../forward-to-leader.ts';
import { sendGatewayError } from './error-response.ts';
import { FENCE_HEADER, FORWARDED_HEADERS, RUN_HEADER } from './parse-call.ts';

/** Forwards a call to the leader and streams its answer back. */
export interface GatewayForwarder {
  forward(exchange: Exchange, body: Buffer): Promise<number>;
  close(): void;
}

export function createGatewayForwarder(hall: Hall): GatewayForwarder {
  const plain = new Agent({ keepAlive: true });
  const secure = new SecureAgent({ keepAlive: true });
  return {
    forward({ request, response, id }, body) {
      const url = hall.leaderUrl();
      const isForwarded = request.headers[FORWARDED_HEADER] !== undefined;
      if (url === undefined || isForwarded)
        return Promise.resolve(sendGatewayError(response, NO_LEADER));
      const isSecure = url.startsWith('https:');
      return new Promise((resolve) => {
        const upstream = (isSecure ? httpsRequest : httpRequest)(`${url}${request.url}`, {
          method: 'POST',
          headers: {
            ...forwardedHeaders(request),
            'content-length': body.length,
            'x-request-id': id,
          },
          agent: isSecure ? secure : plain,
        });
        response.once('close', () => upstream.destroy());
        upstream.on('error', () => {
          if (response.headersSent) response.destroy();
          else sendGatewayError(response, NO_LEADER);
          resolve(NO_LEADER.status);
        });
        upstream.on('response', (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.on('error', () => response.destroy());
          // Also emitted for an answer that breaks off.
          answer.on('close', () => resolve(answer.statusCode ?? 502));
          answer.pipe(response);
        });
        upstream.end(body);
      });
    },
    close() {
      plain.destroy();
      secure.destroy();
    },
  };
}

function forwardedHeaders({ headers }: IncomingMessage): OutgoingHttpHeaders {
  const known = Object.entries(headers).filter(([name]) => ALLOWED_HEADERS.includes(name));
  return { ...Object.fromEntries(known), [FORWARDED_HEADER]: '1' };
}

const ALLOWED_HEADERS = ['authorization', RUN_HEADER, FENCE_HEADER, ...FORWARDED_HEADERS];

const NO_LEADER = {
  status: 503,
  failure: 'away',
  because: 'guildhall: the hall has no leader at the moment; try again',
} as const;
