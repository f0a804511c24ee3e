import { chmodSync, lchownSync, lstatSync, mkdirSync, rmSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Cell, CellPlan, Mount } from '../../ports/cell.ts';

/** Paths of an isolated cell's own files, as programs inside see them. */
export const INSIDE = {
  work: '/work',
  home: '/agent',
  tools: '/opt/hall',
  sockets: '/run/hall',
} as const;

export const PATH_INSIDE: string = [
  `${INSIDE.tools}/bin`,
  '/usr/local/bin',
  '/usr/bin',
  '/bin',
  '/usr/sbin',
  '/sbin',
].join(':');

const NODE = `${INSIDE.tools}/bin/node`;
const FORWARDER = `${INSIDE.tools}/forwarder.mjs`;

/** Each program or cell has its own loopback, so its proxy ports can be fixed. */
const PROXY_PORTS = { gateway: 28701, egress: 28702 } as const;

/** The user ids of the programs inside. */
export interface UnixUser {
  readonly uid: number;
  readonly gid: number;
}

export interface CellFolders {
  readonly work: string;
  readonly home: string;
  readonly hall: string;
}

/**
 * The user of an earlier cell's programs in this folder. Undefined when there was none, or when its
 * worker was killed before it changed the owner: no program in a cell is root.
 */
export function previousUser(folder: string): UnixUser | undefined {
  const found = lstatSync(join(folder, 'work'), { throwIfNoEntry: false });
  return found?.isDirectory() && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : undefined;
}

export function makeFolders(folder: string, user: UnixUser): CellFolders {
  const folders = {
    work: join(folder, 'work'),
    home: join(folder, 'home'),
    hall: join(folder, 'hall'),
  };
  rmSync(folders.hall, { recursive: true, force: true });
  for (const path of Object.values(folders)) {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    if (user.uid !== process.getuid?.()) lchownSync(path, user.uid, user.gid);
  }
  return folders;
}

/** Write permission is enough to connect to a socket; its folder keeps others away. */
export function makeSocketsWritable(sockets: CellPlan['sockets']): void {
  for (const socket of Object.values(sockets)) chmodSync(socket, 0o666);
}

export function proxyUrls(sockets: CellPlan['sockets']): Cell['proxies'] {
  return {
    gateway: sockets.gateway === undefined ? null : `http://127.0.0.1:${PROXY_PORTS.gateway}`,
    egress: sockets.egress === undefined ? null : `http://127.0.0.1:${PROXY_PORTS.egress}`,
  };
}

/** Host sockets with their path and port inside. */
export function proxySockets(sockets: CellPlan['sockets']) {
  return (['gateway', 'egress'] as const).flatMap((name) => {
    const from = sockets[name];
    if (from === undefined) return [];
    return [{ name, from, to: `${INSIDE.sockets}/${name}.sock`, port: PROXY_PORTS[name] }];
  });
}

/** Our programs that every isolated cell has. */
export function nodeAndForwarderMounts(node: string, sockets: CellPlan['sockets']): Mount[] {
  const forwarder = join(import.meta.dirname, 'forwarder.js');
  return [
    { from: node, to: NODE },
    ...(proxySockets(sockets).length > 0 ? [{ from: forwarder, to: FORWARDER }] : []),
  ];
}

/** Placed before a program; opens the proxies on loopback. */
export function forwarderCommand(sockets: CellPlan['sockets']): string[] {
  const forwards = proxySockets(sockets).map(({ port, to }) => `${port}=${to}`);
  return forwards.length === 0 ? [] : [NODE, FORWARDER, ...forwards, '--'];
}

export function hostPathOf(folders: CellFolders, inside: string): string | undefined {
  const path = posix.resolve(INSIDE.work, inside);
  for (const name of ['work', 'home'] as const) {
    if (path === INSIDE[name]) return folders[name];
    if (path.startsWith(`${INSIDE[name]}/`)) {
      return join(folders[name], path.slice(INSIDE[name].length));
    }
  }
  return undefined;
}
