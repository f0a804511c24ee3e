import { posix } from 'node:path';
import type { CellMount } from '../cell/mounts.ts';

/** The mounts as bwrap arguments. */
export function bwrapMounts(mounts: readonly CellMount[]): string[] {
  const created = new Set<string>();
  return mounts.flatMap((mount) => [...foldersFor(mount, created), ...mountArguments(mount)]);
}

/** Every folder above a mount, because bwrap run by root creates missing ones with mode 0700. */
function foldersFor({ to }: CellMount, created: Set<string>): string[] {
  const above: string[] = [];
  for (let path = posix.dirname(to); path !== '/'; path = posix.dirname(path)) above.unshift(path);
  const missing = above.filter((path) => !created.has(path) && !isBelow(path, created));
  for (const path of missing) created.add(path);
  created.add(to);
  return missing.flatMap((path) => ['--perms', '0755', '--dir', path]);
}

/** A folder inside a mount exists already. */
function isBelow(path: string, created: ReadonlySet<string>): boolean {
  return ['/usr', '/dev'].some((mounted) => created.has(mounted) && path.startsWith(`${mounted}/`));
}

function mountArguments(mount: CellMount): string[] {
  switch (mount.kind) {
    case 'ro':
      return ['--ro-bind', mount.from, mount.to];
    case 'rw':
      return ['--bind', mount.from, mount.to];
    case 'link':
      return ['--symlink', mount.target, mount.to];
    case 'tmpfs':
      return ['--perms', '1777', '--size', String(mount.bytes), '--tmpfs', mount.to];
    case 'proc':
      return ['--proc', mount.to];
    case 'dev':
      return ['--dev', mount.to];
    case 'remount-ro':
      return ['--remount-ro', mount.to];
  }
}
