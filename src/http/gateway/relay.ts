import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request as send } from 'node:http';
import { Agent as SecureAgent, request as sendSecurely } from 'node:https';
import type { Hall } from '../../board/hall.ts';
import type { Exchange } from '../exchange.ts';
import { FORWARDED } from '../forward.ts';
import { FENCE_HEADER, PASSED_ON, RUN_HEADER } from './call.ts';
import { turnAway } from './refusing.ts';

/** Passes a call on to the node that leads, and its answer back piece by piece. */
export interface Relay {
  pass(exchange: Exchange, body: Buffer): Promise<number>;
  close(): void;
}

export function createRelay(hall: Hall): Relay {
  const plain = new Agent({ keepAlive: true });
  const secure = new SecureAgent({ keepAlive: true });
  return {
    pass({ request, response, id }, body) {
      const url = hall.leaderUrl();
      const isPassed = request.headers[FORWARDED] !== undefined;
      if (url === undefined || isPassed) return Promise.resolve(turnAway(response, NOBODY));
      const isSecure = url.startsWith('https:');
      return new Promise((resolve) => {
        const onward = (isSecure ? sendSecurely : send)(`${url}${request.url}`, {
          method: 'POST',
          headers: { ...relayed(request), 'content-length': body.length, 'x-request-id': id },
          agent: isSecure ? secure : plain,
        });
        response.once('close', () => onward.destroy());
        onward.on('error', () => {
          if (response.headersSent) response.destroy();
          else turnAway(response, NOBODY);
          resolve(NOBODY.status);
        });
        onward.on('response', (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.on('error', () => response.destroy());
          // Also of an answer that breaks off.
          answer.on('close', () => resolve(answer.statusCode ?? 502));
          answer.pipe(response);
        });
        onward.end(body);
      });
    },
    close() {
      plain.destroy();
      secure.destroy();
    },
  };
}

function relayed({ headers }: IncomingMessage): OutgoingHttpHeaders {
  const known = Object.entries(headers).filter(([name]) => RELAYED.includes(name));
  return { ...Object.fromEntries(known), [FORWARDED]: '1' };
}

const RELAYED = ['authorization', RUN_HEADER, FENCE_HEADER, ...PASSED_ON];

const NOBODY = {
  status: 503,
  failure: 'away',
  because: 'guildhall: no node leads the hall at the moment; try again',
} as const;
