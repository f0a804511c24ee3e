import { lchownSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Tenant } from '../../ports/cell.ts';
import type { Owner } from '../cell/layout.ts';
import type { Sight } from '../cell/view.ts';
import { volumeName } from './names.ts';
import { ask, need, type Runtime } from './runtime.ts';

const INSIDE_CACHE = '/cache';

/** What tools keep in a home and can do without: it is in the volume, and nothing else ever is. */
const CACHES = [
  ...['.npm', '.cache/pip', '.cache/yarn', '.cache/go-build'],
  ...['.m2/repository', '.gradle/caches', '.cargo/registry'],
];

interface Wanted {
  readonly tenant: Tenant;
  readonly prefix: string;
  readonly owner: Owner;
  /** The run's own home, still empty. */
  readonly home: string;
}

/**
 * The folder of the tenant's project in the volume of its instance, and ways to it from a fresh home.
 * Nothing where the runtime keeps its volumes from this process, or where there is no project.
 */
export async function layCache(runtime: Runtime, wanted: Wanted): Promise<Sight[]> {
  const { tenant, prefix, owner, home } = wanted;
  if (tenant.project === null) return [];
  const volume = await volumeFolder(runtime, volumeName(prefix, tenant.instance));
  const from = join(volume, tenant.project);
  if (!isMade(from, owner)) return [];
  for (const path of CACHES) {
    const name = path.replaceAll('/', '-');
    isMade(join(from, name), owner);
    makeWay(home, path, owner);
    const link = join(home, path);
    symlinkSync(`${INSIDE_CACHE}/${name}`, link);
    give(link, owner);
  }
  return [{ kind: 'rw', from, to: INSIDE_CACHE }];
}

async function volumeFolder(runtime: Runtime, name: string): Promise<string> {
  const looking = ['volume', 'inspect', '--format', '{{.Mountpoint}}', name];
  const { code, out } = await ask(runtime, looking);
  if (code === 0) return out;
  await ask(runtime, ['volume', 'create', name]);
  return need(runtime, looking);
}

function makeWay(home: string, path: string, owner: Owner): void {
  const above = dirname(path);
  if (above !== '.') isMade(join(home, above), owner);
}

/** False where this process may not; the folder of another was made by another run. */
function isMade(folder: string, owner: Owner): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
    give(folder, owner);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return true;
    if (code === 'EACCES' || code === 'ENOENT') return false;
    throw error;
  }
}

/**
 * Follows no link: another run of the project is in its caches at the same time, and may have put one
 * where a folder was made a moment ago.
 */
function give(path: string, { uid, gid }: Owner): void {
  if (uid !== process.getuid?.()) lchownSync(path, uid, gid);
}
