import { existsSync, lstatSync, readlinkSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { CellPlan, Mount } from '../../ports/cell.ts';
import { type CellFolders, doorways, INSIDE, type Owner } from '../cell/layout.ts';

/** One thing that can be seen inside. */
export type Sight =
  | { readonly kind: 'ro' | 'rw'; readonly from: string; readonly to: string }
  | { readonly kind: 'link'; readonly target: string; readonly to: string }
  | { readonly kind: 'tmpfs'; readonly bytes: number; readonly to: string }
  | { readonly kind: 'proc' | 'dev' | 'sealed'; readonly to: string };

interface Wanted {
  readonly plan: CellPlan;
  readonly folders: CellFolders;
  readonly owner: Owner;
  /** Programs and scripts of ours, put into INSIDE.tools under these names. */
  readonly tools: readonly Mount[];
  readonly tmpBytes: number;
}

/** What a program sees, by list: nothing is there because it is on the host. */
export function viewOf({ plan, folders, owner, tools, tmpBytes }: Wanted): Sight[] {
  return [
    { kind: 'ro', from: '/usr', to: '/usr' },
    ...TOP_FOLDERS.flatMap((to) => asOnHost(to)),
    { kind: 'proc', to: '/proc' },
    { kind: 'dev', to: '/dev' },
    { kind: 'tmpfs', bytes: tmpBytes, to: '/dev/shm' },
    { kind: 'sealed', to: '/dev' },
    { kind: 'tmpfs', bytes: tmpBytes, to: '/tmp' },
    ...ETC_FILES.filter((path) => existsSync(path)).map(readOnly),
    ...writeEtc(folders.hall, owner),
    ...tools.map(({ from, to }) => ({ kind: 'ro', from, to }) as const),
    ...doorways(plan.sockets).map(({ from, to }) => ({ kind: 'ro', from, to }) as const),
    ...plan.readable.map(({ from, to }) => ({ kind: 'ro', from, to }) as const),
    { kind: 'rw', from: folders.home, to: INSIDE.home },
    { kind: 'rw', from: folders.work, to: INSIDE.work },
    { kind: 'sealed', to: '/' },
  ];
}

/** Where something is mounted, for a cell that compares this with what it finds. */
export function mountPointsOf(view: readonly Sight[]): string[] {
  return ['/', ...view.filter(({ kind }) => kind !== 'link').map(({ to }) => to)];
}

/** As arguments of bwrap. */
export function argumentsOf(view: readonly Sight[]): string[] {
  const made = new Set<string>();
  return view.flatMap((sight) => [...foldersFor(sight, made), ...argumentsOfSight(sight)]);
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

function asOnHost(to: string): Sight[] {
  if (!existsSync(to)) return [];
  if (!lstatSync(to).isSymbolicLink()) return [readOnly(to)];
  return [{ kind: 'link', target: readlinkSync(to), to }];
}

function readOnly(path: string): Sight {
  return { kind: 'ro', from: path, to: path };
}

/** There is no resolver: names are resolved by the proxy behind the door, after it has decided. */
function writeEtc(folder: string, { uid, gid }: Owner): Sight[] {
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

/** Every folder above a mount, because bwrap run by root would make those that are missing 0700. */
function foldersFor({ to }: Sight, made: Set<string>): string[] {
  const above: string[] = [];
  for (let path = posix.dirname(to); path !== '/'; path = posix.dirname(path)) above.unshift(path);
  const missing = above.filter((path) => !made.has(path) && !isBelow(path, made));
  for (const path of missing) made.add(path);
  made.add(to);
  return missing.flatMap((path) => ['--perms', '0755', '--dir', path]);
}

/** A folder inside something that is mounted is there already. */
function isBelow(path: string, made: ReadonlySet<string>): boolean {
  return ['/usr', '/dev'].some((mounted) => made.has(mounted) && path.startsWith(`${mounted}/`));
}

function argumentsOfSight(sight: Sight): string[] {
  switch (sight.kind) {
    case 'ro':
      return ['--ro-bind', sight.from, sight.to];
    case 'rw':
      return ['--bind', sight.from, sight.to];
    case 'link':
      return ['--symlink', sight.target, sight.to];
    case 'tmpfs':
      return ['--perms', '1777', '--size', String(sight.bytes), '--tmpfs', sight.to];
    case 'proc':
      return ['--proc', sight.to];
    case 'dev':
      return ['--dev', sight.to];
    case 'sealed':
      return ['--remount-ro', sight.to];
  }
}
