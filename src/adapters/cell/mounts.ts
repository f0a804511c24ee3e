import { existsSync, lstatSync, readlinkSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mount } from '../../ports/cell.ts';
import { type CellFolders, INSIDE, type UnixUser } from './layout.ts';

/** One path that is visible inside. */
export type CellMount =
  | { readonly kind: 'ro' | 'rw'; readonly from: string; readonly to: string }
  | { readonly kind: 'link'; readonly target: string; readonly to: string }
  | { readonly kind: 'tmpfs'; readonly bytes: number; readonly to: string }
  | { readonly kind: 'proc' | 'dev' | 'remount-ro'; readonly to: string };

interface MountNeeds {
  readonly folders: CellFolders;
  /** The user of the programs, as they see it. */
  readonly user: UnixUser;
  /** Our programs and scripts, the proxy sockets, and the paths that the plan allows to read. */
  readonly readable: readonly Mount[];
  readonly tmpBytes: number;
  /** Programs of the host, or of an image that brings its own. */
  readonly programs: 'host' | 'image';
}

/** An allow-list of what a program sees: nothing is visible merely because the host has it. */
export function mountsFor({
  folders,
  user,
  readable,
  tmpBytes,
  programs,
}: MountNeeds): CellMount[] {
  return [
    ...(programs === 'host' ? hostPrograms() : systemCertificates()),
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

/** Mount points, for a cell that compares them with those it finds. */
export function mountPointsOf(mounts: readonly CellMount[]): string[] {
  return ['/', ...mounts.filter(({ kind }) => kind !== 'link').map(({ to }) => to)];
}

const TOP_FOLDERS = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];

/** File by file, never all of /etc: which files are readable there differs between hosts. */
const ETC_FILES = [
  '/etc/ld.so.cache',
  '/etc/alternatives',
  '/etc/localtime',
  '/etc/services',
  '/etc/protocols',
  '/etc/ssl/certs',
  '/etc/ssl/openssl.cnf',
  '/etc/ssl/cert.pem',
  '/etc/ssl/ca-bundle.pem',
  '/etc/pki/tls/certs',
  '/etc/pki/ca-trust/extracted',
  // Where those point to on Arch and on SUSE.
  '/etc/ca-certificates/extracted',
  '/var/lib/ca-certificates',
];

/** The file with all CA certificates that the system trusts: Debian, Alpine and Arch; Fedora; SUSE. */
const CA_BUNDLES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
];

/**
 * Programs of an image reach the network through the host, so they trust what the host trusts, such as
 * the authority of a company's own network.
 */
function systemCertificates(): CellMount[] {
  const bundle = CA_BUNDLES.find((path) => existsSync(path));
  if (bundle === undefined) return [];
  const from = realpathSync(bundle);
  return CA_BUNDLES.map((to) => ({ kind: 'ro', from, to }));
}

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

/** There is no resolver: the proxy resolves a name after it has allowed it. */
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
