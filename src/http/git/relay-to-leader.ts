import { request as httpRequest, type OutgoingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Hall } from '../../board/hall.ts';
import type { Exchange } from '../exchange.ts';
import { FORWARDED_HEADER } from '../forward-to-leader.ts';

/** Git sends the run's credential in `authorization`; the leader judges it. */
const PASSED_ON = [
  'accept',
  'authorization',
  'content-encoding',
  'content-length',
  'content-type',
  'git-protocol',
  'transfer-encoding',
  'user-agent',
];

/**
 * Passes a request of git on to the leader, which knows the leases as they are now, and its answer back. Both are
 * streamed: a pack can be larger than the memory. Undefined when there is no leader to ask.
 */
export function relayToLeader(hall: Hall, exchange: Exchange): Promise<number | undefined> {
  const { request, response, id } = exchange;
  const url = hall.leaderUrl();
  if (url === undefined || request.headers[FORWARDED_HEADER] !== undefined)
    return Promise.resolve(undefined);
  const headers: OutgoingHttpHeaders = { [FORWARDED_HEADER]: '1', 'x-request-id': id };
  for (const name of PASSED_ON) {
    const value = request.headers[name];
    if (value !== undefined) headers[name] = value;
  }
  const send = url.startsWith('https:') ? httpsRequest : httpRequest;
  return new Promise((resolve) => {
    const upstream = send(`${url}${request.url}`, { method: request.method ?? 'GET', headers });
    response.once('close', () => upstream.destroy());
    upstream.on('error', () => {
      if (response.headersSent) response.destroy();
      resolve(response.headersSent ? 502 : undefined);
    });
    upstream.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('error', () => response.destroy());
      answer.on('close', () => resolve(answer.statusCode ?? 502));
      answer.pipe(response);
    });
    request.pipe(upstream);
  });
}
