import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Hall } from '../../board/hall.ts';
import { branchOf } from '../../domain/branch-name.ts';
import { checkLease } from '../../domain/lease.ts';
import { isRefusal } from '../../domain/refusal.ts';
import type { Run } from '../../domain/run.ts';
import { ForgeFailed, type GitAccess } from '../../ports/forge.ts';
import type { Log } from '../../ports/log.ts';
import type { Auth, Authenticator } from '../authenticate.ts';
import { isAuthenticationFailure } from '../authenticate.ts';
import type { Exchange } from '../exchange.ts';
import { type GitCall, type GitCaller, gitCallerIn, parseGitCall } from './parse-call.ts';
import { pushedRefs } from './pushed-refs.ts';
import { relayToLeader } from './relay-to-leader.ts';

/** Where git reaches the repository of a project, with a credential that no worker sees. */
export type GitAccessOf = (repo: string, right: 'read' | 'write') => Promise<GitAccess>;

interface Needs {
  readonly hall: Hall;
  readonly auth: Auth;
  readonly authenticator: Authenticator;
  readonly gitAccessOf: GitAccessOf;
  readonly log: Log;
}

/** The commands of a push are a few hundred bytes; a pack of objects follows. */
const MAX_COMMANDS = 64 * 1024;

/**
 * Git for workers. A worker fetches and pushes the repository of its run through the hall, with the run's own
 * credential: the credential of the forge never leaves the hall, and a push may move only the thread's branch,
 * only while the run holds its lease.
 */
export class GitGateway {
  readonly #needs: Needs;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** Answers any request and returns the status. */
  async answer(exchange: Exchange): Promise<number> {
    const { request, response, method, path, search } = exchange;
    const { hall } = this.#needs;
    if (!hall.leading()) {
      const status = await relayToLeader(hall, exchange);
      return status ?? refuse(response, 503, 'the hall has no leader at the moment; try again');
    }
    const call = parseGitCall(method, path, search);
    if (!call)
      return refuse(
        response,
        404,
        'git asks only for info/refs, git-upload-pack and git-receive-pack',
      );
    const caller = gitCallerIn(request);
    const run = caller && this.#runOf(caller, call);
    if (run === undefined)
      return refuse(response, 401, 'the run and its token are missing or unknown');
    if (typeof run === 'string') return refuse(response, 403, run);
    const repo = this.#needs.hall.board.projects.get(run.project)?.settings.repo ?? '';
    try {
      const right = call.service === 'git-receive-pack' ? 'write' : 'read';
      const access = await this.#needs.gitAccessOf(repo, right);
      return await this.#forward({ request, response, call, access, run });
    } catch (fault) {
      if (!(fault instanceof ForgeFailed)) throw fault;
      return refuse(response, 502, fault.message);
    }
  }

  /** The run that the caller holds; a text says why it may not, undefined that it is unknown. */
  #runOf({ run: id, fence, token }: GitCaller, { project }: GitCall): Run | string | undefined {
    const { auth, authenticator, hall } = this.#needs;
    const caller = auth.mode === 'none' ? null : authenticator.authenticate(token);
    if (caller !== null && (isAuthenticationFailure(caller) || caller.kind !== 'worker'))
      return undefined;
    const worker = caller?.kind === 'worker' ? caller.worker : null;
    const run = checkLease(hall.board, { run: id, fence, worker });
    if (isRefusal(run)) return run.because;
    return run.project === project ? run : `this run belongs to the project ${run.project}`;
  }

  async #forward({ request, response, call, access, run }: Forwarding): Promise<number> {
    const { isAllowed, body } = await this.#checkedBody(request, call, run);
    if (!isAllowed) return refuse(response, 403, 'a run may push only the branch of its thread');
    const credential = Buffer.from(credentialOf(access)).toString('base64');
    const answer = await fetch(`${access.url}${call.path}`, {
      method: request.method ?? 'GET',
      headers: { ...forwardedHeaders(request), authorization: `Basic ${credential}` },
      ...(body !== undefined && { body: Readable.toWeb(body) as ReadableStream, duplex: 'half' }),
      redirect: 'manual',
    } as RequestInit).catch((cause: unknown) => {
      throw new ForgeFailed(`${access.url} did not answer git`, { retry: 'later', cause });
    });
    const type = answer.headers.get('content-type') ?? 'application/octet-stream';
    response.writeHead(answer.status, { 'content-type': type, 'cache-control': 'no-store' });
    if (answer.body === null) response.end();
    else await pipeline(Readable.fromWeb(answer.body as never), response);
    return answer.status;
  }

  /** Looks at the commands of a push before a byte of it reaches the forge. */
  async #checkedBody(
    request: IncomingMessage,
    { service, path }: GitCall,
    run: Run,
  ): Promise<{ readonly isAllowed: boolean; readonly body: Readable | undefined }> {
    if (path.startsWith('/info/refs')) return { isAllowed: true, body: undefined };
    if (service === 'git-upload-pack') return { isAllowed: true, body: request };
    if (request.headers['content-encoding'] !== undefined)
      return { isAllowed: false, body: undefined };
    const chunks = request.iterator({ destroyOnReturn: false });
    let head = Buffer.alloc(0);
    let refs = pushedRefs(head);
    while (refs === null && head.length < MAX_COMMANDS) {
      const next = await chunks.next();
      if (next.done) break;
      head = Buffer.concat([head, next.value as Buffer]);
      refs = pushedRefs(head);
    }
    if (refs === null || refs === undefined || !this.#mayMove(run, refs)) {
      return { isAllowed: isProbe(head), body: Readable.from([head]) };
    }
    return { isAllowed: true, body: Readable.from(withHead(head, chunks)) };
  }

  #mayMove(run: Run, refs: readonly string[]): boolean {
    const { board } = this.#needs.hall;
    const thread = board.threads.get(run.thread);
    const type = board.types.get(board.instances.get(run.instance)?.type ?? '');
    if (!thread || !type || !run.writes) return false;
    const branch = branchOf(thread, type.settings.branchPrefix);
    return refs.length > 0 && refs.every((ref) => ref === `refs/heads/${branch}`);
  }
}

/** Before a large push git sends an empty one, to see whether it is let in. */
function isProbe(head: Buffer): boolean {
  return head.toString('latin1') === '0000';
}

async function* withHead(head: Buffer, rest: AsyncIterator<unknown>): AsyncGenerator<Buffer> {
  yield head;
  for (let next = await rest.next(); !next.done; next = await rest.next())
    yield next.value as Buffer;
}

interface Forwarding {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly call: GitCall;
  readonly access: GitAccess;
  readonly run: Run;
}

function credentialOf({ credential }: GitAccess): string {
  return credential.includes(':') ? credential : `x-access-token:${credential}`;
}

const FORWARDED = ['accept', 'content-type', 'content-encoding', 'git-protocol', 'user-agent'];

function forwardedHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    FORWARDED.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
}

/** Git shows the text of a failure to its user. */
function refuse(response: ServerResponse, status: number, text: string): number {
  const challenge = status === 401 ? { 'www-authenticate': 'Basic realm="guildhall"' } : {};
  response.writeHead(status, {
    'content-type': 'text/plain',
    'cache-control': 'no-store',
    connection: 'close',
    ...challenge,
  });
  response.end(`${text}\n`);
  return status;
}
