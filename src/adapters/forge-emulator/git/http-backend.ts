import { spawn } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Git } from './run-git.ts';

/** What git asks for over HTTP: `fetch` reads, `push` writes. */
export interface GitRequest {
  readonly repository: string;
  readonly service: 'fetch' | 'push';
  /** The path inside the repository, as `/info/refs`. */
  readonly rest: string;
  /** It carries objects and moves branches; the request before only lists them. */
  readonly writes: boolean;
}

const GIT_PATH = /^\/([^/]+\/[^/]+?)(?:\.git)?(\/info\/refs|\/git-upload-pack|\/git-receive-pack)$/;

export function gitRequestOf(url: URL): GitRequest | null {
  const [, repository, rest] = GIT_PATH.exec(url.pathname) ?? [];
  if (repository === undefined || rest === undefined) return null;
  const service = url.searchParams.get('service') ?? rest.slice(1);
  return {
    repository,
    service: service === 'git-receive-pack' ? 'push' : 'fetch',
    rest,
    writes: rest === '/git-receive-pack',
  };
}

interface Served {
  readonly dir: string;
  readonly rest: string;
  readonly user: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The response does not end before this is done, so that a push is known when git returns. */
  readonly before: () => Promise<void>;
}

/** Git's own program for HTTP. */
export async function serveGit(git: Git, served: Served): Promise<void> {
  const { request, response, before } = served;
  const programs = await git.run(served.dir, ['--exec-path']);
  const backend = spawn(join(programs, 'git-http-backend'), {
    env: { ...git.env, ...environmentOf(served) },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  backend.stdin.on('error', () => undefined);
  request.pipe(backend.stdin);
  let head = Buffer.alloc(0);
  backend.stdout.on('data', (chunk: Buffer) => {
    if (response.headersSent) return void response.write(chunk);
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end === -1) return;
    writeHead(response, head.toString('latin1', 0, end));
    response.write(head.subarray(end + 4));
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  backend.once('error', reject);
  backend.once('close', () => resolve());
  await promise;
  await before();
  response.end();
}

function environmentOf({ dir, rest, user, request }: Served): Record<string, string> {
  const { search } = new URL(request.url ?? '/', 'http://forge');
  return {
    GIT_PROJECT_ROOT: dir,
    GIT_HTTP_EXPORT_ALL: '1',
    REMOTE_USER: user,
    PATH_INFO: rest,
    QUERY_STRING: search.slice(1),
    REQUEST_METHOD: request.method ?? 'GET',
    CONTENT_TYPE: request.headers['content-type'] ?? '',
    HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
    GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
  };
}

function writeHead(response: ServerResponse, text: string): void {
  const headers = text.split('\r\n').map((line) => line.split(': ', 2) as [string, string]);
  const status = Number(headers.find(([name]) => name === 'Status')?.[1]?.slice(0, 3) ?? 200);
  response.writeHead(status, Object.fromEntries(headers.filter(([name]) => name !== 'Status')));
}
