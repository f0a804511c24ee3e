import type { IncomingMessage } from 'node:http';
import { type Fence, numberIn, type RunId } from '../../domain/ids.ts';

/** One of the three requests of git's smart HTTP protocol. */
export interface GitCall {
  readonly project: string;
  readonly service: 'git-upload-pack' | 'git-receive-pack';
  /** Below the address of the repository, with its query. */
  readonly path: string;
}

const PREFIX = '/git/';

export function isForGit(path: string): boolean {
  return path.startsWith(PREFIX);
}

/** Undefined for anything that git does not ask for to fetch or push. */
export function parseGitCall(method: string, path: string, search: string): GitCall | undefined {
  const [, project, rest] = /^\/git\/([^/]+)\.git(\/.*)$/.exec(path) ?? [];
  if (project === undefined || rest === undefined) return undefined;
  if (method === 'GET' && rest === '/info/refs') {
    const [, service] = /^service=(git-upload-pack|git-receive-pack)$/.exec(search) ?? [];
    return isService(service) ? { project, service, path: `${rest}?${search}` } : undefined;
  }
  const service = rest.slice(1);
  if (method !== 'POST' || !isService(service)) return undefined;
  return { project, service, path: rest };
}

function isService(text: string | undefined): text is GitCall['service'] {
  return text === 'git-upload-pack' || text === 'git-receive-pack';
}

export interface GitCaller {
  readonly run: RunId;
  readonly fence: Fence;
  /** The worker's token. */
  readonly token: string;
}

/** Git sends the run and its fence as the user name, and the worker's token as the password. */
export function gitCallerIn({ headers }: IncomingMessage): GitCaller | undefined {
  const [, encoded = ''] =
    /^Basic ([A-Za-z0-9+/=]{1,2000})$/.exec(headers.authorization ?? '') ?? [];
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const [, run = '', fence, token = ''] = /^(r-\d+)\.(\d{1,16}):(.*)$/s.exec(text) ?? [];
  const id = numberIn('run', run);
  if (id === undefined || fence === undefined) return undefined;
  return { run: id as RunId, fence: Number(fence) as Fence, token };
}
