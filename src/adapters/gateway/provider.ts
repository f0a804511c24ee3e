import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest, Agent as SecureAgent } from 'node:https';
import { type Account, type ModelCall, type Models, ModelUnreachable } from '../../ports/model.ts';

/** Calls providers that speak the Messages API. Follows no redirect: the credential stays with its host. */
export function createModels(): Models & { close(): void } {
  const plain = new Agent({ keepAlive: true });
  const secure = new SecureAgent({ keepAlive: true });
  return {
    async send(account, call) {
      const url = new URL(account.url);
      const isSecure = url.protocol === 'https:';
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        const request = (isSecure ? httpsRequest : httpRequest)({
          protocol: url.protocol,
          hostname: url.hostname.replace(/^\[|\]$/g, ''),
          port: url.port,
          path: `${call.path}${call.isBeta ? '?beta=true' : ''}`,
          method: 'POST',
          headers: headersFor(account, call),
          agent: isSecure ? secure : plain,
          signal: call.signal,
        });
        request.on('error', (cause) => reject(unreachable(url, cause)));
        request.on('response', resolve);
        request.end(call.body);
      });
      return {
        status: response.statusCode ?? 502,
        headers: headersOf(response),
        body: bodyOf(response, url),
      };
    },
    close() {
      plain.destroy();
      secure.destroy();
    },
  };
}

/** An OAuth token is sent as a bearer token with the beta header it needs; an API key as a key. */
function headersFor({ credential }: Account, { headers, body }: ModelCall): Record<string, string> {
  const common = {
    ...headers,
    'content-length': String(body.length),
    'accept-encoding': 'identity',
  };
  if (!credential.startsWith('sk-ant-oat')) return { ...common, 'x-api-key': credential };
  const betas = (headers['anthropic-beta'] ?? '').split(',').filter((beta) => beta.trim() !== '');
  const marked = betas.includes(OAUTH) ? betas : [...betas, OAUTH];
  return { ...common, authorization: `Bearer ${credential}`, 'anthropic-beta': marked.join(',') };
}

const OAUTH = 'oauth-2025-04-20';

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

async function* bodyOf(response: IncomingMessage, url: URL): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of response) yield chunk as Uint8Array;
  } catch (cause) {
    throw unreachable(url, cause);
  }
  if (!response.complete) throw unreachable(url, new Error('the response ended early'));
}

function unreachable(url: URL, cause: unknown): ModelUnreachable {
  const message = cause instanceof Error ? cause.message : String(cause);
  return new ModelUnreachable(`the request to ${url.host} failed: ${message}`, { cause });
}
