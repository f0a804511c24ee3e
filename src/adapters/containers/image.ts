import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CellRefused } from '../../ports/cell.ts';
import type { Sight } from '../cell/view.ts';
import { ask, need, type Runtime } from './runtime.ts';

/** Holds nothing but links and empty folders: the programs of the host are mounted into it. */
const HOST_IMAGE = 'localhost/guildhall-host';

/** The image by what it is and not by its name, which may mean another tomorrow. */
export async function imageId(
  runtime: Runtime,
  asked: string | null,
  view: readonly Sight[],
): Promise<string> {
  if (asked === null)
    return (await idOf(runtime, HOST_IMAGE)) ?? (await importHostImage(runtime, view));
  const id = await idOf(runtime, asked);
  if (id === undefined) {
    throw new CellRefused(
      `the image ${asked} is not on this machine; ${runtime.kind} pull ${asked}, or build it`,
    );
  }
  if (runtime.kind === 'docker') await refuseVolumes(runtime, asked, id);
  return id;
}

/** Docker would make them, and they would hold what one run left for the next; Podman can be told not to. */
async function refuseVolumes(runtime: Runtime, asked: string, id: string): Promise<void> {
  const format = '{{range $path, $_ := .Config.Volumes}}{{$path}} {{end}}';
  const volumes = await need(runtime, ['image', 'inspect', '--format', format, id]);
  if (volumes === '') return;
  throw new CellRefused(
    `the image ${asked} declares volumes (${volumes.trim()}), which docker would keep from run to run; build it without`,
  );
}

async function idOf(runtime: Runtime, name: string): Promise<string | undefined> {
  const { code, out } = await ask(runtime, ['image', 'inspect', '--format', '{{.Id}}', name]);
  return code === 0 ? out : undefined;
}

/** From no registry: a folder with the links of the host's root folder. */
async function importHostImage(runtime: Runtime, view: readonly Sight[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'image-'));
  try {
    const root = join(folder, 'root');
    mkdirSync(root);
    for (const sight of view) {
      if (sight.kind === 'link') symlinkSync(sight.target, join(root, sight.to));
    }
    const archive = join(folder, 'root.tar');
    const options = ['--owner=0', '--group=0', '--mode=0755', '-C', root, '-cf', archive, '.'];
    await promisify(execFile)('tar', options, { env: { PATH: runtime.path } });
    await need(runtime, ['import', archive, HOST_IMAGE]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return need(runtime, ['image', 'inspect', '--format', '{{.Id}}', HOST_IMAGE]);
}
