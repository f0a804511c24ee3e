import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface PageNeeds {
  /** The page of GitHub that takes a manifest. */
  readonly action: string;
  readonly manifest: object;
}

/** A page on this machine that leads to GitHub and back. */
interface ManifestPage extends AsyncDisposable {
  readonly url: string;
  /** Comes back with the code, so that no other page can bring one. */
  readonly state: string;
  readonly code: Promise<string>;
}

/** https://docs.github.com/en/apps/sharing-github-apps/registering-a-github-app-from-a-manifest */
export async function openManifestPage({ action, manifest }: PageNeeds): Promise<ManifestPage> {
  const state = randomBytes(24).toString('base64url');
  const { promise: code, resolve } = Promise.withResolvers<string>();
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', url);
    if (request.method !== 'GET') return send(response, 405, 'this page can only be read');
    if (pathname === '/') {
      const whole = { ...manifest, redirect_url: `${url}/created` };
      return send(response, 200, formPage(`${action}?state=${state}`, whole), action);
    }
    if (pathname !== '/created') return send(response, 404, 'there is no such page');
    const found = searchParams.get('code');
    if (found === null || !isSame(searchParams.get('state') ?? '', state)) {
      return send(response, 400, 'This is not the answer of GitHub to this page. Start again.');
    }
    resolve(found);
    return send(response, 200, 'The App exists. Return to the terminal.');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...{ url, state, code },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function formPage(action: string, manifest: object): string {
  return `<form method="post" action="${escaped(action)}">
<input type="hidden" name="manifest" value="${escaped(JSON.stringify(manifest))}">
<p>GitHub will show the App and what it may do. You can change its name there.</p>
<p><button type="submit">Create the App on GitHub</button></p>
</form>`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** The page runs no script, and its form leads nowhere but to GitHub and back. */
function send(response: ServerResponse, status: number, body: string, action?: string): void {
  const target = action === undefined ? "'none'" : `${new URL(action).origin} 'self'`;
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; form-action ${target}; frame-ancestors 'none'`,
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    connection: 'close',
  });
  response.end(`<!doctype html><title>Connect GitHub</title><h1>Guildhall</h1>${body}`);
}
