import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findEngine } from '../adapters/containers/engine.ts';
import { imageId } from '../adapters/containers/image.ts';
import type { Config } from '../config/config.ts';
import { type Isolation, localPath } from '../domain/project.ts';
import { CellRefused } from '../ports/cell.ts';
import { type CellSettings, cellSettings, createCellsOfMachine } from './worker/cells.ts';

const run = promisify(execFile);

interface IsolationStatus {
  readonly refused: string | null;
  readonly gaps: readonly string[];
}

/** Whether the best isolation of this machine works, and what it does not cover. */
export function sandboxStatus(config: Config): Promise<IsolationStatus> {
  return statusOfKind(cellSettings(config), null);
}

/** The same for containers; null when no project requires them, because the check takes seconds. */
export async function containerStatus(config: Config): Promise<IsolationStatus | null> {
  const isRequired = config.declaration.projects.some(
    ({ settings }) => settings.isolation === 'container',
  );
  return isRequired ? statusOfKind(cellSettings(config), 'container') : null;
}

export function containerRuntimeIn(config: Config): string | null {
  return findEngine(config)?.program ?? null;
}

/** What is wrong with the images of agent types; each fault would fail the first task claimed for its type. */
export async function faultsOfImages(config: Config): Promise<readonly string[]> {
  const runtime = findEngine(config);
  if (runtime === undefined) return [];
  const faults: string[] = [];
  for (const { name, settings } of config.declaration.types) {
    if (settings.image === null) continue;
    try {
      await imageId(runtime, settings.image, []);
    } catch (fault) {
      if (!(fault instanceof CellRefused)) throw fault;
      faults.push(`types.${name}: ${fault.message}`);
    }
  }
  return faults;
}

async function statusOfKind(
  settings: CellSettings,
  kind: Isolation | null,
): Promise<IsolationStatus> {
  try {
    const { gaps } = await createCellsOfMachine(settings)(kind);
    return { refused: null, gaps };
  } catch (fault) {
    if (fault instanceof CellRefused) return { refused: fault.message, gaps: [] };
    throw fault;
  }
}

interface RepositoryOf {
  readonly name: string;
  readonly repo: string | null;
  readonly base: string | null;
}

/** What is wrong with the repositories that are folders on this machine. */
export async function faultsOfRepos(
  projects: readonly RepositoryOf[],
  path: string,
): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const { name, repo, base } of projects) {
    const folder = localPath(repo);
    if (folder === undefined) continue;
    const fault = await faultOf(folder, base ?? 'HEAD', path);
    if (fault !== null) faults.push(`${name}: ${fault}`);
  }
  return faults;
}

async function faultOf(folder: string, base: string, path: string): Promise<string | null> {
  const env = { PATH: path, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', LC_ALL: 'C' };
  const safe = ['-c', `safe.directory=*`, '-C', folder];
  const isRepository = await run('git', [...safe, 'rev-parse', '--git-dir'], { env }).then(
    () => true,
    () => false,
  );
  if (!isRepository) return `${folder} is not a git repository`;
  const isFound = await run(
    'git',
    [...safe, 'rev-parse', '--verify', '--quiet', `${base}^{commit}`],
    { env },
  ).then(
    () => true,
    () => false,
  );
  if (isFound) return null;
  return base === 'HEAD' ? `${folder} has no commit yet` : `${folder} has no branch ${base}`;
}
