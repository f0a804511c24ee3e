import { lchownSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Tenant } from '../../ports/cell.ts';
import type { UnixUser } from '../cell/layout.ts';
import type { CellMount } from '../cell/mounts.ts';
import { volumeName } from './container-names.ts';
import { type Engine, requireEngine, runEngine } from './engine.ts';

const INSIDE_CACHE = '/cache';

/** Folders in a home that tools can do without. The volume holds these and nothing else. */
const CACHES = [
  ...['.npm', '.cache/pip', '.cache/yarn', '.cache/go-build'],
  ...['.m2/repository', '.gradle/caches', '.cargo/registry'],
];

interface CacheNeeds {
  readonly tenant: Tenant;
  readonly prefix: string;
  readonly user: UnixUser;
  /** The run's own home, still empty. */
  readonly home: string;
}

/**
 * The folder of the tenant's project in the volume of its instance, linked from a fresh home. Does
 * nothing without a project, or where the runtime hides its volumes from this process.
 */
export async function prepareCache(engine: Engine, needs: CacheNeeds): Promise<CellMount[]> {
  const { tenant, prefix, user, home } = needs;
  if (tenant.project === null) return [];
  const volume = await volumeFolder(engine, volumeName(prefix, tenant.instance));
  const from = join(volume, tenant.project);
  if (!ensureFolder(from, user)) return [];
  for (const path of CACHES) {
    const name = path.replaceAll('/', '-');
    ensureFolder(join(from, name), user);
    ensureParent(home, path, user);
    const link = join(home, path);
    symlinkSync(`${INSIDE_CACHE}/${name}`, link);
    changeOwner(link, user);
  }
  return [{ kind: 'rw', from, to: INSIDE_CACHE }];
}

async function volumeFolder(engine: Engine, name: string): Promise<string> {
  const inspect = ['volume', 'inspect', '--format', '{{.Mountpoint}}', name];
  const { code, stdout } = await runEngine(engine, inspect);
  if (code === 0) return stdout;
  await runEngine(engine, ['volume', 'create', name]);
  return requireEngine(engine, inspect);
}

function ensureParent(home: string, path: string, user: UnixUser): void {
  const above = dirname(path);
  if (above !== '.') ensureFolder(join(home, above), user);
}

/** False where this process lacks permission. Another run made a folder that exists already. */
function ensureFolder(folder: string, user: UnixUser): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
    changeOwner(folder, user);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return true;
    if (code === 'EACCES' || code === 'ENOENT') return false;
    throw error;
  }
}

/**
 * Follows no link: another run of the project uses the same caches and may have put a link where a
 * folder was just made.
 */
function changeOwner(path: string, { uid, gid }: UnixUser): void {
  if (uid !== process.getuid?.()) lchownSync(path, uid, gid);
}
