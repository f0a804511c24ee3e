import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { findProgram as findAgentProgram } from '../../src/adapters/claude/sdk.ts';
import { workingRuntime } from './containers-part.ts';
import { reachableFrom } from './import-graph.ts';
import { startPostgres } from './postgres.ts';
import { ROOT } from './tree.ts';

/** Something outside Node that some suites need. */
export interface Part {
  /** Its name in GUILDHALL_REQUIRE. */
  readonly name: string;
  /** The suites that need it, as the last lines of a run call them. */
  readonly suites: string;
  /** A suite that mentions it, itself or through an import, needs the part. */
  readonly variable: string;
  /** Suites that need it belong to the full tier completely. */
  readonly isFullTier?: true;
  bring(): Promise<Brought | { readonly missing: string }>;
}

export interface Brought {
  readonly value: string;
  readonly from: string;
  stop(): Promise<void>;
}

export const PARTS: readonly Part[] = [
  {
    name: 'postgres',
    suites: 'PostgreSQL store suites',
    variable: 'GUILDHALL_TEST_POSTGRES',
    bring: bringPostgres,
  },
  {
    name: 'bubblewrap',
    suites: 'sandbox suites',
    variable: 'GUILDHALL_TEST_BUBBLEWRAP',
    bring: bringBubblewrap,
  },
  {
    name: 'containers',
    suites: 'container suites',
    variable: 'GUILDHALL_TEST_CONTAINERS',
    isFullTier: true,
    bring: bringContainers,
  },
  {
    name: 'browser',
    suites: 'dashboard suites in a browser',
    variable: 'GUILDHALL_TEST_BROWSER',
    bring: bringBrowser,
  },
  {
    name: 'agent-sdk',
    suites: 'suites with real agents',
    variable: 'GUILDHALL_TEST_AGENT_SDK',
    bring: bringAgentSdk,
  },
];

/** This file mentions every variable and needs none. */
const TABLE = 'test/support/parts.ts';

/** The parts that the given test files need, by what their imports mention. */
export function neededParts(files: readonly string[]): Part[] {
  const reached = reachableFrom(files, { except: [TABLE] });
  return PARTS.filter(({ variable }) => reached.some(({ text }) => text.includes(variable)));
}

async function bringPostgres(): Promise<Brought | { missing: string }> {
  const server = await startPostgres();
  if ('missing' in server) return server;
  return { value: server.url, from: 'started for this run', stop: () => server.stop() };
}

/** From the machine, otherwise from the Debian repository, unpacked next to the other caches of the clone. */
async function bringBubblewrap(): Promise<Brought | { missing: string }> {
  const unpacked = join(ROOT, '.cache/bubblewrap');
  const found = findProgram(['bwrap'], [...searchPath(), join(unpacked, 'usr/bin')]);
  if (found) return still(found);

  await mkdir(unpacked, { recursive: true });
  const script = 'apt-get download bubblewrap && dpkg -x bubblewrap_*.deb . && rm bubblewrap_*.deb';
  const { status, stderr } = spawnSync('sh', ['-c', script], { cwd: unpacked, encoding: 'utf8' });
  if (status === 0) return still(join(unpacked, 'usr/bin/bwrap'));
  const lastLine = stderr.trim().split('\n').at(-1);
  return {
    missing: `bwrap is not installed and its Debian package could not be downloaded: ${lastLine}`,
  };
}

async function bringContainers(): Promise<Brought | { missing: string }> {
  const runtime = workingRuntime(process.env['PATH'] ?? '');
  return 'missing' in runtime ? runtime : still(runtime.program);
}

async function bringBrowser(): Promise<Brought | { missing: string }> {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'chrome-headless-shell'];
  const found = findProgram(names, searchPath());
  return found ? still(found) : { missing: 'no Chromium is on the PATH' };
}

async function bringAgentSdk(): Promise<Brought | { missing: string }> {
  const program = findAgentProgram();
  return 'missing' in program ? program : still(program.path);
}

/** A program needs no stopping. */
function still(path: string): Brought {
  return { value: path, from: path, stop: async () => undefined };
}

function searchPath(): string[] {
  return (process.env['PATH'] ?? '').split(delimiter);
}

function findProgram(names: readonly string[], folders: readonly string[]): string | undefined {
  return folders
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
