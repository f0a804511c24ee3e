import type { IncomingMessage, ServerResponse } from 'node:http';
import { type GitRequest, serveGit } from '../git/http-backend.ts';
import { EmulatorRefused } from '../state/emulator-refused.ts';
import type { Caller, Repository } from '../state/model.ts';
import { takePushes } from '../state/pushes.ts';
import { NEEDS, requireRight } from '../state/rights.ts';
import { fullNameOf, repositoryCalled, type World } from '../state/world.ts';
import { callerOf } from './credentials.ts';
import type { InjectedFaults } from './faults.ts';

interface Needs {
  readonly world: World;
  readonly faults: InjectedFaults;
}

interface Http {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Git over HTTP, with the token as the password. A push is known to the forge before git hears of its success. */
export async function answerGit(
  { world, faults }: Needs,
  { repository: name, service, rest, writes }: GitRequest,
  { request, response }: Http,
): Promise<void> {
  const fault = faults.next(`git ${service}`);
  if (fault?.is === 'hang') return;
  if (fault && !(fault.is === 'drop' && fault.done)) return failGit(response, fault);
  const allowed = allowedTo(world, { request, name, service });
  if ('status' in allowed) return void response.writeHead(allowed.status, allowed.headers).end();
  const { repository, caller } = allowed;
  if (isOldName(repository, name)) {
    const location = `/${fullNameOf(repository)}.git${rest}${queryOf(request)}`;
    return void response.writeHead(301, { Location: location }).end();
  }
  const before = async () => {
    if (writes) await takePushes(world, { caller, repository });
    if (fault?.is === 'drop') request.socket.destroy();
  };
  const user = caller.is === 'anonymous' ? '' : 'somebody';
  const served = { dir: repository.dir, rest, user, request, response, before };
  if (!writes) return serveGit(world.git, served);
  await world.inOrder(repository, () => serveGit(world.git, served));
}

type Allowed =
  | { readonly repository: Repository; readonly caller: Caller }
  | { readonly status: number; readonly headers: Readonly<Record<string, string>> };

function allowedTo(
  world: World,
  { request, name, service }: { request: IncomingMessage; name: string; service: string },
): Allowed {
  try {
    const caller = callerOf(world, request.headers);
    const repository = repositoryCalled(world, name);
    const need = service === 'push' ? NEEDS.push : NEEDS.readContents;
    requireRight(world, { caller, repository }, need);
    return { repository, caller };
  } catch (error) {
    if (!(error instanceof EmulatorRefused)) throw error;
    const isUnknown = request.headers.authorization === undefined;
    if (isUnknown || error.code === 'bad_credentials') {
      return { status: 401, headers: { 'WWW-Authenticate': 'Basic realm="git"' } };
    }
    return { status: error.code === 'not_found' ? 404 : 403, headers: {} };
  }
}

function failGit(response: ServerResponse, fault: { readonly is: string }): void {
  if (fault.is === 'drop') return void response.socket?.destroy();
  const status = 'status' in fault ? Number(fault.status) : 429;
  response.writeHead(status).end();
}

function isOldName(repository: Repository, name: string): boolean {
  return fullNameOf(repository).toLowerCase() !== name.toLowerCase();
}

function queryOf({ url = '' }: IncomingMessage): string {
  const at = url.indexOf('?');
  return at === -1 ? '' : url.slice(at);
}
