import { readFile, realpath, statfs } from 'node:fs/promises';

/** The type of a folder's filesystem, as the kernel names it. */
export type FilesystemOf = (folder: string) => Promise<string>;

/** A database is not safe on such a filesystem: its locks or syncs are unreliable. */
class UnsafeFilesystem extends Error {
  override readonly name = 'UnsafeFilesystem';
}

const NETWORK = [
  'nfs',
  'nfs4',
  'cifs',
  'smb',
  'smb3',
  'smbfs',
  'ncpfs',
  'afs',
  'coda',
  'ceph',
  'lustre',
  'gfs2',
  'ocfs2',
  '9p',
  'fuse.sshfs',
  'fuse.rclone',
  'fuse.s3fs',
  'fuse.gcsfuse',
  'fuse.glusterfs',
  'fuse.ceph',
  'fuse.juicefs',
  'fuse.davfs',
  'davfs',
];

export async function refuseNetwork(folder: string, filesystemOf: FilesystemOf): Promise<void> {
  const kind = await filesystemOf(folder);
  if (!NETWORK.includes(kind)) return;
  throw new UnsafeFilesystem(
    `${folder} is on a network filesystem (${kind}), where SQLite can lose acknowledged changes: ` +
      'put the data folder on a local disk, or use PostgreSQL',
  );
}

/** Numbers from statfs(2), for systems without /proc. */
const MAGIC: Readonly<Record<number, string>> = {
  26985: 'nfs',
  20859: 'smb',
  4283649346: 'cifs',
  4266872130: 'smb3',
  22092: 'ncpfs',
  1397113167: 'afs',
  1937076805: 'coda',
  12805120: 'ceph',
  198183888: 'lustre',
  18225520: 'gfs2',
  1952539503: 'ocfs2',
  16914839: '9p',
};

/** The number identifies network filesystems but not the kind of FUSE; the mount list does. */
export async function filesystemOf(folder: string): Promise<string> {
  const { type } = await statfs(folder);
  const known = MAGIC[type];
  if (known) return known;
  const mounts = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '');
  return mountedAt(await realpath(folder), mounts) ?? `0x${type.toString(16)}`;
}

/** The type of the deepest mount that holds the folder; later mounts hide earlier ones. */
export function mountedAt(folder: string, mountinfo: string): string | undefined {
  let deepest = '';
  let kind: string | undefined;
  for (const line of mountinfo.split('\n')) {
    const [before = '', after = ''] = line.split(' - ');
    const point = unescaped(before.split(' ')[4]);
    if (point === undefined || !holds(point, folder) || point.length < deepest.length) continue;
    deepest = point;
    kind = after.split(' ')[0];
  }
  return kind;
}

function holds(point: string, folder: string): boolean {
  return point === '/' || folder === point || folder.startsWith(`${point}/`);
}

function unescaped(point: string | undefined): string | undefined {
  return point?.replaceAll(/\\([0-7]{3})/g, (_, octal: string) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  );
}
