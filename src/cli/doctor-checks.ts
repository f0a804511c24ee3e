import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import type { Reply } from '../api/client.ts';
import { spellMistake } from '../config/mistake.ts';
import { isOpenToOthers } from '../main/folder-permissions.ts';
import { readHallFile, tokenPath } from '../main/hall-file.ts';
import { isBlank, weaknessOf } from '../main/token-file.ts';
import type { Cli } from './command.ts';
import { bad, type Found, good, warning } from './doctor-finding.ts';
import { forges } from './doctor-forges.ts';
import { sendRequest } from './send-request.ts';

const run = promisify(execFile);
const GB = 1024 ** 3;

/** One check per thing a hall needs, in the order in which they depend on each other. */
export const DOCTOR_CHECKS: Readonly<Record<string, (cli: Cli) => Promise<Found>>> = {
  node: async () => good(`Node ${process.versions.node}`),
  git,
  config,
  cells,
  containers,
  agents,
  personas,
  repos,
  data: dataFolder,
  disk,
  store,
  token,
  secrets: secretsKey,
  hall,
  forges,
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

/** Builds a cell and tries to escape from it, as every worker does at its start. */
async function cells({ inspectedConfig: load }: Cli): Promise<Found> {
  const { sandboxStatus } = await import('../main/inspect-machine.ts');
  const { refused, gaps } = await sandboxStatus(await load());
  if (refused !== null)
    return warning(refused, 'see docs/guide/cells.md; no agent runs without isolation');
  return gaps.length === 0
    ? good('isolation works: every escape attempt was blocked')
    : warning(gaps.join('\n'), 'see docs/guide/cells.md');
}

/** If a project uses containers, builds and tries one as well, and looks for the images of agent types. */
async function containers({ inspectedConfig: load }: Cli): Promise<Found> {
  const { containerRuntimeIn, containerStatus, faultsOfImages } = await import(
    '../main/inspect-machine.ts'
  );
  const config = await load();
  const status = await containerStatus(config);
  const runtime = containerRuntimeIn(config);
  if (status === null) {
    return good(
      `no project uses containers; ${runtime ?? 'neither Podman nor Docker'} is installed`,
    );
  }
  if (status.refused !== null) {
    return bad(status.refused, 'see docs/guide/cells.md, or choose isolation: sandbox');
  }
  const missing = await faultsOfImages(config);
  if (missing.length > 0) {
    return bad(
      missing.join('\n'),
      "pull the image, or remove the image: setting to use the host's programs",
    );
  }
  return status.gaps.length === 0
    ? good(`${runtime}: isolation works, every escape attempt was blocked`)
    : warning(status.gaps.join('\n'), 'see docs/guide/cells.md');
}

/** Whether agents could start; a running hall knows more than its configuration says. */
async function agents({ inspectedConfig: load, hall: settings, client }: Cli): Promise<Found> {
  const fix =
    'see docs/guide/agents.md; where only workers of your own work, set hall.max_recruits to 0';
  if (readHallFile((await settings()).data)) {
    const found = await agentsOfHall(client).catch(() => undefined);
    if (found) return found.status === 'up' ? good(found.says) : bad(found.says, fix);
  }
  const { startableAgents } = await import('../main/startable-agents.ts');
  const { projects, cannotStart } = startableAgents(await load());
  if (projects === null) return good('no agents of its own');
  if (cannotStart.length > 0) return bad(cannotStart.join('\n'), fix);
  return good(`can start in ${projects.join(', ')}`);
}

/** A hall with mistakes in its catalog runs with the personas that it had, so a start does not show them. */
async function personas({ inspectedConfig: load }: Cli): Promise<Found> {
  const { catalogMistakes, declaration } = await load();
  if (catalogMistakes.length > 0) {
    const fix = 'correct agents.yml; until then the hall keeps the personas that it had';
    return bad(catalogMistakes.map(spellMistake).join('\n'), fix);
  }
  const names = declaration.personas?.map(({ name }) => name) ?? [];
  return good(names.length === 0 ? 'none' : names.sort().join(', '));
}

async function agentsOfHall(client: Cli['client']) {
  const { components } = await client().call('getHealth');
  return components.find(({ name }) => name === 'agents');
}

/** Finds a missing repository before a worker fails on it. */
async function repos(cli: Cli): Promise<Found> {
  const { faultsOfRepos } = await import('../main/inspect-machine.ts');
  const { path, declaration } = await cli.inspectedConfig();
  const declared = declaration.projects.map(({ name, settings }) => ({ name, ...settings }));
  const added = await addedProjects(cli);
  const faults = await faultsOfRepos([...declared, ...added], path);
  if (faults.length > 0) {
    const fix = `fix repo: and base: in the configuration, or with: ${cli.command('project edit', 'NAME --repo file:PATH')}`;
    return bad(faults.join('\n'), fix);
  }
  const also = added.length === 0 ? '' : ` (also of ${added.map(({ name }) => name).join(', ')})`;
  return good(`every local repository and its base branch exist${also}`);
}

/** Projects that were added to the running hall; the file does not know them. */
async function addedProjects({ client, hall: settings }: Cli) {
  if (!readHallFile((await settings()).data)) return [];
  const listed = await client()
    .call('listProjects')
    .catch(() => ({ projects: [] }));
  return listed.projects.filter(({ declared }) => declared === null);
}

async function config({ inspectedConfig: load, command }: Cli): Promise<Found> {
  const { file, warnings } = await load();
  if (warnings.length > 0) return warning(warnings.join('\n'), `see: ${command('config check')}`);
  if (file === null)
    return warning(
      'no guildhall.yaml here; using the defaults',
      `create one with: ${command('init')}`,
    );
  return good(`${file} has no mistakes`);
}

async function dataFolder({ hall: settings }: Cli): Promise<Found> {
  const { data } = await settings();
  const existing = nearestExisting(data);
  if (!statSync(existing).isDirectory()) {
    return bad(`${existing} is not a folder`, 'move it away, or set hall.data to another folder');
  }
  try {
    accessSync(existing, constants.W_OK | constants.X_OK);
  } catch {
    return bad(`${existing} is not writable`, 'give this account write permission there');
  }
  if (existing !== data) return good(`${data} will be created at the first start`);
  if (isOpenToOthers(data)) {
    return warning(`${data} is writable, but other accounts can access it`, `chmod 700 ${data}`);
  }
  return good(`${data} is writable`);
}

function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));
}

async function disk({ hall: settings }: Cli): Promise<Found> {
  const { bavail, bsize } = await statfs(nearestExisting((await settings()).data));
  const free = (bavail * bsize) / GB;
  const says = `${free.toFixed(1)} GB free`;
  if (free < 0.1) return bad(says, 'free some space: the hall stops when the disk is full');
  return free < 1 ? warning(says, 'free some space soon') : good(says);
}

async function store({ hall: settings, command }: Cli): Promise<Found> {
  const { data, store: location } = await settings();
  const { inspectDatabase, inspectServer } = await import('../main/inspect-database.ts');
  if (location.kind === 'postgres') {
    const server = await inspectServer(location.url);
    if ('version' in server) return good(`PostgreSQL ${server.version} answers`);
    const fix = 'check that the server is running, and the user, host and database in hall.store';
    return bad(`PostgreSQL cannot be used: ${server.fault}`, fix);
  }
  const { checkedSqliteVersion } = await import('../main/sqlite-version.ts');
  const engine = `SQLite ${checkedSqliteVersion()}`;
  const { path, isThere, fault } = inspectDatabase(data);
  if (!isThere) return good(`${engine}; ${path} will be created at the first start`);
  if (fault === undefined) return good(`${engine}; ${path} is intact`);
  return bad(
    `${path} cannot be used: ${fault}`,
    `restore a backup with: ${command('restore', 'FILE')} (the damaged file is set aside, not deleted)`,
  );
}

async function token({ hall: settings }: Cli): Promise<Found> {
  const { data, auth } = await settings();
  const path = tokenPath(data);
  if (auth.mode === 'none')
    return warning('auth.mode is none: everyone has full access', 'set hall.auth.mode');
  if (!existsSync(path)) return good(`${path} will be created at the first start`);
  if ((statSync(path).mode & 0o077) !== 0) {
    return bad(`${path} is readable by others`, `chmod 600 ${path}`);
  }
  const text = readFileSync(path, 'utf8');
  if (isBlank(text)) return good(`${path} is empty; the next start creates a new token`);
  const fault = weaknessOf(text.trim());
  if (fault !== undefined)
    return bad(`${path} ${fault}`, 'remove it; the next start creates a new one');
  return good(`${path} is readable by its owner only`);
}

/** The hall reads a key that others can read too: a platform may mount it so. */
async function secretsKey({ hall: settings }: Cli): Promise<Found> {
  const { secretsKey: key } = await settings();
  if (key.kind === 'command') return good(`${key.command[0]} provides the key of stored secrets`);
  if (!existsSync(key.path)) return good(`${key.path} will be created with the first secret`);
  if ((statSync(key.path).mode & 0o077) !== 0) {
    return warning(`${key.path} is accessible to other accounts`, `chmod 600 ${key.path}`);
  }
  return good(`${key.path} is readable by its owner only`);
}

async function hall({ hall: settings, command }: Cli): Promise<Found> {
  const { data } = await settings();
  const running = readHallFile(data);
  if (!running)
    return warning(`no hall is running on ${data}`, `start it with: ${command('start')}`);
  const answer = await probe(running.url);
  if (answer?.ok) return good(`answers at ${running.url} (process ${running.pid})`);
  return bad(
    `process ${running.pid} does not answer at ${running.url}`,
    'check its log, then restart it',
  );
}

async function probe(url: string): Promise<Reply | undefined> {
  try {
    return await sendRequest(`${url}/healthz`, { signal: AbortSignal.timeout(3_000) });
  } catch {
    return undefined;
  }
}

const MAX_SKEW = 60_000;

/** The hall uses its own clock; a wrong one shows in schedules and weekly windows. */
async function clock({ hall: settings }: Cli): Promise<Found> {
  const now = Date.now();
  if (new Date(now).getUTCFullYear() < 2025) {
    return bad(`the clock shows ${new Date(now).toISOString()}`, 'set the clock of this machine');
  }
  const running = readHallFile((await settings()).data);
  const date = running && (await probe(running.url))?.headers.get('date');
  const skew = date ? Math.abs(Date.parse(date) - now) : 0;
  if (skew > MAX_SKEW) {
    return warning(
      `the hall's clock differs by ${Math.round(skew / 1_000)} s`,
      'synchronise both with NTP',
    );
  }
  return good(new Date(now).toISOString());
}
