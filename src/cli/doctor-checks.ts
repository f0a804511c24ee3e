import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { isOpenToOthers } from '../main/folder-permissions.ts';
import { readHallFile } from '../main/hall-file.ts';
import { tokenPath, weaknessOf } from '../main/token-file.ts';
import type { Cli } from './command.ts';

export interface Finding {
  readonly name: string;
  readonly health: 'good' | 'odd' | 'bad';
  readonly says: string;
  readonly fix: string | null;
}

type Found = Omit<Finding, 'name'>;

const run = promisify(execFile);
const GB = 1024 ** 3;

const good = (says: string): Found => ({ health: 'good', says, fix: null });
const odd = (says: string, fix: string): Found => ({ health: 'odd', says, fix });
const bad = (says: string, fix: string): Found => ({ health: 'bad', says, fix });

/** One look at each thing a hall needs, in the order in which they depend on each other. */
export const DOCTOR_CHECKS: Readonly<Record<string, (cli: Cli) => Promise<Found>>> = {
  node: async () => good(`Node ${process.versions.node}`),
  git,
  config,
  cells,
  containers,
  agents,
  repos,
  data: dataFolder,
  disk,
  store,
  token,
  hall,
  clock,
};

async function git({ environment: env }: Cli): Promise<Found> {
  try {
    const { stdout } = await run('git', ['--version'], { env });
    return good(stdout.trim());
  } catch {
    return bad('git is not on the PATH', 'install git 2.38 or newer');
  }
}

/** Builds a cell and tries to get out of it, as every worker does at its start. */
async function cells({ config: load }: Cli): Promise<Found> {
  const { sandboxStatus: wallsOf } = await import('../main/inspect-machine.ts');
  const { refused, gaps } = await wallsOf(load());
  if (refused !== null) return odd(refused, 'see docs/guide/cells.md; no agent runs without');
  return gaps.length === 0
    ? good('walls can be built and hold')
    : odd(gaps.join('\n'), 'see docs/guide/cells.md');
}

/** Where a project asks for containers, one is built and tried as well, and the images of types are looked for. */
async function containers({ config: load }: Cli): Promise<Found> {
  const {
    containerRuntimeIn,
    containerStatus: containerWallsOf,
    faultsOfImages,
  } = await import('../main/inspect-machine.ts');
  const walls = await containerWallsOf(load());
  const runtime = containerRuntimeIn(load());
  if (walls === null) {
    return good(`no project asks for one; ${runtime ?? 'neither Podman nor Docker'} is here`);
  }
  if (walls.refused !== null) {
    return bad(walls.refused, 'see docs/guide/cells.md, or choose isolation: sandbox');
  }
  const missing = await faultsOfImages(load());
  if (missing.length > 0) {
    return bad(
      missing.join('\n'),
      'get the image, or leave image: out for the programs of the host',
    );
  }
  return walls.gaps.length === 0
    ? good(`${runtime}: walls can be built and hold`)
    : odd(walls.gaps.join('\n'), 'see docs/guide/cells.md');
}

async function agents(): Promise<Found> {
  const { missingForAgents } = await import('../main/inspect-machine.ts');
  const missing = missingForAgents();
  return missing === null
    ? good('the Claude Agent SDK is here')
    : odd(missing, 'npm install brings it');
}

/** A repository that is not there is found before a worker is. */
async function repos({ config: load }: Cli): Promise<Found> {
  const { faultsOfRepos } = await import('../main/inspect-machine.ts');
  const faults = await faultsOfRepos(load());
  if (faults.length > 0)
    return bad(faults.join('\n'), 'correct repo: and base: in the configuration');
  return good('every local repository and its base are there');
}

async function config({ config: load, self }: Cli): Promise<Found> {
  const { file, warnings } = load();
  if (warnings.length > 0) return odd(warnings.join('\n'), `see "${self} config check"`);
  if (file === null)
    return odd('no guildhall.yaml here: the defaults hold', `${self} init writes one`);
  return good(`${file} has no mistakes`);
}

async function dataFolder({ hall: settings }: Cli): Promise<Found> {
  const { data } = settings();
  const there = nearestThere(data);
  if (!statSync(there).isDirectory()) {
    return bad(`${there} is not a folder`, 'move it away, or name another folder as hall.data');
  }
  try {
    accessSync(there, constants.W_OK | constants.X_OK);
  } catch {
    return bad(`${there} is not writable`, `give this account the right to write there`);
  }
  if (there !== data) return good(`${data} will be made at the first start`);
  if (isOpenToOthers(data)) {
    return odd(`${data} is writable, and other accounts may look into it`, `chmod 700 ${data}`);
  }
  return good(`${data} is writable`);
}

function nearestThere(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestThere(dirname(path));
}

async function disk({ hall: settings }: Cli): Promise<Found> {
  const { bavail, bsize } = await statfs(nearestThere(settings().data));
  const free = (bavail * bsize) / GB;
  const says = `${free.toFixed(1)} GB free`;
  if (free < 0.1) return bad(says, 'free some space: the hall stops when the disk is full');
  return free < 1 ? odd(says, 'free some space before long') : good(says);
}

async function store({ hall: settings, self }: Cli): Promise<Found> {
  const { data, store: kept } = settings();
  const { inspectDatabase: lookAtDatabase, inspectServer: lookAtServer } = await import(
    '../main/inspect-database.ts'
  );
  if (kept.kind === 'postgres') {
    const seen = await lookAtServer(kept.url);
    if ('version' in seen) return good(`PostgreSQL ${seen.version} answers`);
    const fix = 'look whether the server runs, and at user, host and database in hall.store';
    return bad(`PostgreSQL cannot be used: ${seen.fault}`, fix);
  }
  const { checkedSqliteVersion } = await import('../main/sqlite-version.ts');
  const engine = `SQLite ${checkedSqliteVersion()}`;
  const { path, isThere, fault } = lookAtDatabase(data);
  if (!isThere) return good(`${engine}; ${path} will be made at the first start`);
  if (fault === undefined) return good(`${engine}; ${path} is sound`);
  return bad(
    `${path} cannot be used: ${fault}`,
    `"${self} restore FILE" puts a backup in its place and keeps it aside`,
  );
}

async function token({ hall: settings }: Cli): Promise<Found> {
  const { data, auth } = settings();
  const path = tokenPath(data);
  if (auth.mode === 'none')
    return odd('auth.mode none: everybody may do everything', 'set auth.mode');
  if (!existsSync(path)) return good(`${path} will be made at the first start`);
  if ((statSync(path).mode & 0o077) !== 0) {
    return bad(`${path} is readable by others`, `chmod 600 ${path}`);
  }
  const fault = weaknessOf(readFileSync(path, 'utf8').trim());
  if (fault !== undefined) return bad(`${path} ${fault}`, 'remove it: the next start makes one');
  return good(`${path} is readable by its owner only`);
}

async function hall({ hall: settings, self }: Cli): Promise<Found> {
  const { data } = settings();
  const running = readHallFile(data);
  if (!running) return odd(`no hall runs on ${data}`, `${self} start`);
  const answer = await probe(running.url);
  if (answer?.ok) return good(`answers at ${running.url} (process ${running.pid})`);
  return bad(
    `process ${running.pid} does not answer at ${running.url}`,
    'look at its log, restart it',
  );
}

async function probe(url: string): Promise<Response | undefined> {
  try {
    return await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(3_000) });
  } catch {
    return undefined;
  }
}

const MAX_SKEW = 60_000;

/** The hall's own clock decides; one that is wrong shows in schedules and weekly windows. */
async function clock({ hall: settings }: Cli): Promise<Found> {
  const now = Date.now();
  if (new Date(now).getUTCFullYear() < 2025) {
    return bad(`the clock says ${new Date(now).toISOString()}`, 'set the clock of this machine');
  }
  const running = readHallFile(settings().data);
  const date = running && (await probe(running.url))?.headers.get('date');
  const skew = date ? Math.abs(Date.parse(date) - now) : 0;
  if (skew > MAX_SKEW) {
    return odd(`the hall's clock is ${Math.round(skew / 1_000)} s away`, 'let both follow NTP');
  }
  return good(new Date(now).toISOString());
}
