import { posix } from 'node:path';
import type { Sight } from '../cell/view.ts';

/** As arguments of bwrap. */
export function argumentsOf(view: readonly Sight[]): string[] {
  const made = new Set<string>();
  return view.flatMap((sight) => [...foldersFor(sight, made), ...argumentsOfSight(sight)]);
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
