import { CellRefused } from '../../ports/cell.ts';
import { type Engine, requireEngine } from './engine.ts';

/** What Docker's daemon says about itself; the fields that we read. */
interface DockerInfo {
  readonly CpuCfsQuota?: boolean;
  readonly MemoryLimit?: boolean;
  readonly PidsLimit?: boolean;
  readonly SecurityOptions?: readonly string[];
}

/**
 * By the names of its API, which stay: a template of the command line names fields of its source code
 * (`CPUCfsQuota`), and fails for all of them if one is unknown.
 */
export async function dockerInfo(engine: Engine): Promise<DockerInfo> {
  const info = parsed(await requireEngine(engine, ['info', '--format', '{{json .}}']));
  if (info.SecurityOptions?.some((option) => option.startsWith('name=rootless'))) {
    throw new CellRefused(
      'Docker runs in rootless mode here, in which a program cannot have the user that owns its ' +
        'files; install Podman, which works for ordinary users, or use a daemon that runs as root',
    );
  }
  return info;
}

function parsed(text: string): DockerInfo {
  try {
    return JSON.parse(text);
  } catch (error) {
    const shown = JSON.stringify(text.slice(0, 200));
    throw new CellRefused(
      `docker info printed ${shown} instead of JSON; check it with: docker info`,
      { cause: error },
    );
  }
}
