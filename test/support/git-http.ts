import { execFileSync, spawn } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { type Serving, serving } from './serving.ts';

interface Served {
  readonly folder: string;
  /** `user:password`. */
  readonly credential: string;
  /** Called at each request, while the client's git is running. */
  readonly onRequest: () => void;
}

/** A forge as git sees it: git's own CGI program behind a password. */
export async function serveGit({ folder, credential, onRequest }: Served): Promise<Serving> {
  const expected = `Basic ${Buffer.from(credential).toString('base64')}`;
  return serving((request, response) => {
    onRequest();
    if (request.headers.authorization === expected) return runBackend(folder, request, response);
    response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
  });
}

function runBackend(folder: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? '/', 'http://git.test');
  const backend = spawn(
    join(execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim(), 'git-http-backend'),
    {
      env: {
        PATH: process.env['PATH'],
        GIT_PROJECT_ROOT: folder,
        GIT_HTTP_EXPORT_ALL: '1',
        REMOTE_USER: 'hall',
        PATH_INFO: pathname,
        QUERY_STRING: search.slice(1),
        REQUEST_METHOD: request.method,
        CONTENT_TYPE: request.headers['content-type'],
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'],
        GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  request.pipe(backend.stdin);
  let head = Buffer.alloc(0);
  backend.stdout.on('data', (chunk: Buffer) => {
    if (response.headersSent) return void response.write(chunk);
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end === -1) return;
    const lines = head.toString('latin1', 0, end).split('\r\n');
    const headers = lines.map((line) => line.split(': ', 2) as [string, string]);
    const status = Number(headers.find(([name]) => name === 'Status')?.[1]?.slice(0, 3) ?? 200);
    response.writeHead(status, Object.fromEntries(headers.filter(([name]) => name !== 'Status')));
    response.write(head.subarray(end + 4));
  });
  backend.stdout.on('end', () => response.end());
}
