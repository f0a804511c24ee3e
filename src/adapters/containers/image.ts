import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CellRefused } from '../../ports/cell.ts';
import type { CellMount } from '../cell/mounts.ts';
import { type Engine, requireEngine, runEngine } from './engine.ts';

/** Holds only links and empty folders: the programs of the host are mounted into it. */
const HOST_IMAGE = 'localhost/guildhall-host';

/** Identifies the image by id: its name may refer to another image tomorrow. */
export async function imageId(
  engine: Engine,
  requested: string | null,
  mounts: readonly CellMount[],
): Promise<string> {
  if (requested === null)
    return (await idOf(engine, HOST_IMAGE)) ?? (await importHostImage(engine, mounts));
  const id = await idOf(engine, requested);
  if (id === undefined) {
    throw new CellRefused(
      `the image ${requested} is not on this machine; build it, or pull it with: ${engine.kind} pull ${requested}`,
    );
  }
  if (engine.kind === 'docker') await refuseDeclaredVolumes(engine, requested, id);
  return id;
}

/**
 * Docker would create these volumes, and they would carry files from one run to the next; Podman has an
 * option against it.
 */
async function refuseDeclaredVolumes(engine: Engine, requested: string, id: string): Promise<void> {
  const format = '{{range $path, $_ := .Config.Volumes}}{{$path}} {{end}}';
  const volumes = await requireEngine(engine, ['image', 'inspect', '--format', format, id]);
  if (volumes === '') return;
  throw new CellRefused(
    `the image ${requested} declares volumes (${volumes.trim()}), which docker would keep from run to run; build it without them`,
  );
}

async function idOf(engine: Engine, name: string): Promise<string | undefined> {
  const { code, stdout } = await runEngine(engine, [
    'image',
    'inspect',
    '--format',
    '{{.Id}}',
    name,
  ]);
  return code === 0 ? stdout : undefined;
}

/** Built without a registry: the links of the host's root folder, and what /tmp is mounted on. */
async function importHostImage(engine: Engine, mounts: readonly CellMount[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'image-'));
  try {
    const root = join(folder, 'root');
    for (const [path, mode] of [
      [root, 0o755],
      [join(root, 'tmp'), 0o1777],
    ] as const) {
      mkdirSync(path);
      // Whatever the umask of this process.
      chmodSync(path, mode);
    }
    for (const mount of mounts) {
      if (mount.kind === 'link') symlinkSync(mount.target, join(root, mount.to));
    }
    const archive = join(folder, 'root.tar');
    const options = ['--owner=0', '--group=0', '-C', root, '-cf', archive, '.'];
    await promisify(execFile)('tar', options, { env: { PATH: engine.path } });
    await requireEngine(engine, ['import', archive, HOST_IMAGE]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return requireEngine(engine, ['image', 'inspect', '--format', '{{.Id}}', HOST_IMAGE]);
}
