import { existsSync, lstatSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mount } from '../../ports/cell.ts';
import { type CellFolders, INSIDE, type UnixUser } from './layout.ts';

/** One thing that can be seen inside. */
export type CellMount =
  | { readonly kind: 'ro' | 'rw'; readonly from: string; readonly to: string }
  | { readonly kind: 'link'; readonly target: string; readonly to: string }
  | { readonly kind: 'tmpfs'; readonly bytes: number; readonly to: string }
  | { readonly kind: 'proc' | 'dev' | 'remount-ro'; readonly to: string };

interface MountNeeds {
  readonly folders: CellFolders;
  /** Who the programs are, as they see themselves. */
  readonly user: UnixUser;
  /** Programs and scripts of ours, the ways to the doors, and what the plan lets be read. */
  readonly readable: readonly Mount[];
  readonly tmpBytes: number;
  /** Programs of the host, or those of an image that has its own. */
  readonly programs: 'host' | 'image';
}

/** What a program sees, by list: nothing is there because it is on the host. */
export function mountsFor({
  folders,
  user,
  readable,
  tmpBytes,
  programs,
}: MountNeeds): CellMount[] {
  return [
    ...(programs === 'host' ? hostPrograms() : []),
    { kind: 'proc', to: '/proc' },
    { kind: 'dev', to: '/dev' },
    { kind: 'tmpfs', bytes: tmpBytes, to: '/dev/shm' },
    { kind: 'remount-ro', to: '/dev' },
    { kind: 'tmpfs', bytes: tmpBytes, to: '/tmp' },
    ...writeEtc(folders.hall, user),
    ...readable.map(({ from, to }) => ({ kind: 'ro', from, to }) as const),
    { kind: 'rw', from: folders.home, to: INSIDE.home },
    { kind: 'rw', from: folders.work, to: INSIDE.work },
    { kind: 'remount-ro', to: '/' },
  ];
}

/** Where something is mounted, for a cell that compares this with what it finds. */
export function mountPointsOf(mounts: readonly CellMount[]): string[] {
  return ['/', ...mounts.filter(({ kind }) => kind !== 'link').map(({ to }) => to)];
}

const TOP_FOLDERS = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];

/** By file and never the whole of /etc: what is readable there differs from host to host. */
const ETC_FILES = [
  '/etc/ld.so.cache',
  '/etc/alternatives',
  '/etc/localtime',
  '/etc/services',
  '/etc/protocols',
  '/etc/ssl/certs',
  '/etc/ssl/openssl.cnf',
  '/etc/ssl/cert.pem',
  '/etc/pki/tls/certs',
  '/etc/pki/ca-trust/extracted',
];

function hostPrograms(): CellMount[] {
  return [
    readOnly('/usr'),
    ...TOP_FOLDERS.flatMap((to) => mountLikeHost(to)),
    ...ETC_FILES.filter((path) => existsSync(path)).map(readOnly),
  ];
}

function mountLikeHost(to: string): CellMount[] {
  if (!existsSync(to)) return [];
  if (!lstatSync(to).isSymbolicLink()) return [readOnly(to)];
  return [{ kind: 'link', target: readlinkSync(to), to }];
}

function readOnly(path: string): CellMount {
  return { kind: 'ro', from: path, to: path };
}

/** There is no resolver: names are resolved by the proxy behind the door, after it has decided. */
function writeEtc(folder: string, { uid, gid }: UnixUser): CellMount[] {
  const files = {
    passwd: `agent:x:${uid}:${gid}:agent:${INSIDE.home}:/bin/sh\nnobody:x:65534:65534::/:/bin/false\n`,
    group: `agent:x:${gid}:\nnogroup:x:65534:\n`,
    hosts: '127.0.0.1 localhost\n::1 localhost\n',
    'nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files\n',
  };
  return Object.entries(files).map(([name, text]) => {
    const from = join(folder, name);
    writeFileSync(from, text, { mode: 0o644 });
    return { kind: 'ro', from, to: `/etc/${name}` };
  });
}
