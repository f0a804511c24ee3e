import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findProgram as findAgentProgram } from '../../src/adapters/claude/sdk.ts';
import { CACHE, fillOnce, runIn } from './cache.ts';
import { ENGINES } from './containers-part.ts';
import { reachableFrom } from './import-graph.ts';
import { startPostgres } from './postgres.ts';
import { builtGitea, GITEA, NO_FORGEJO, RUNNER } from './real-gitea/programs.ts';
import { ROOT } from './tree.ts';

/** Something outside Node that some suites need. */
export interface Part {
  /** Its name in GUILDHALL_REQUIRE. */
  readonly name: string;
  /** The suites that need it, as the last lines of a run call them. */
  readonly suites: string;
  /** A suite that mentions it, itself or through an import, needs the part. */
  readonly variable: string;
  /** Of several parts with the same variable: the suites that need it run with each, and are shown with this. */
  readonly title?: string;
  /** Suites that need it belong to the full tier completely. */
  readonly isFullTier?: true;
  /** Says at the end of a run that it was the real thing. */
  readonly real?: string;
  bring(): Promise<Brought | { readonly missing: string }>;
}

export interface Brought {
  readonly value: string;
  /** Other variables of the suites that need it. */
  readonly more?: Readonly<Record<string, string>>;
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
    name: 'podman',
    suites: 'container suites on Podman',
    variable: 'GUILDHALL_TEST_CONTAINERS',
    title: 'Podman',
    isFullTier: true,
    bring: ENGINES.podman,
  },
  {
    name: 'docker',
    suites: 'container suites on Docker',
    variable: 'GUILDHALL_TEST_CONTAINERS',
    title: 'Docker',
    isFullTier: true,
    bring: ENGINES.docker,
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
  {
    name: 'npm-registry',
    suites: 'suites that install packages',
    variable: 'GUILDHALL_TEST_NPM_REGISTRY',
    bring: bringNpmRegistry,
  },
  {
    name: 'gitea',
    suites: 'suites on a real Gitea',
    variable: 'GUILDHALL_TEST_GITEA',
    isFullTier: true,
    real: `Gitea ${GITEA.version.slice(1)} with its runner ${RUNNER.version.slice(1)}`,
    bring: bringGitea,
  },
  {
    name: 'forgejo',
    suites: 'suites on a real Forgejo',
    variable: 'GUILDHALL_TEST_FORGEJO',
    isFullTier: true,
    bring: async () => ({ missing: NO_FORGEJO }),
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

/**
 * From the machine, otherwise from the Debian repository, unpacked into the cache of the clone. The version is the
 * one of the machine's Debian, and apt-get compares the checksum with the signed list of packages.
 */
async function bringBubblewrap(): Promise<Brought | { missing: string }> {
  const installed = findProgram(['bwrap'], searchPath());
  if (installed) return still(installed);
  try {
    const unpacked = await fillOnce(join(CACHE, 'bwrap'), async (folder) => {
      await runIn(folder, 'apt-get', 'download', 'bubblewrap');
      await runIn(folder, 'sh', '-c', 'dpkg -x bubblewrap_*.deb . && rm bubblewrap_*.deb');
    });
    return still(join(unpacked, 'usr/bin/bwrap'));
  } catch (error) {
    const because = error instanceof Error ? error.message : String(error);
    return {
      missing: `bwrap is not installed and its Debian package could not be downloaded: ${because}`,
    };
  }
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

/** Asks for a package that every clone has, so any registry or mirror will do. */
async function bringNpmRegistry(): Promise<Brought | { missing: string }> {
  try {
    await runIn(ROOT, 'npm', 'view', 'commander', 'version');
    return still('npm');
  } catch (error) {
    return { missing: `npm cannot reach its registry: ${(error as Error).message}` };
  }
}

async function bringGitea(): Promise<Brought | { missing: string }> {
  const built = builtGitea();
  return 'missing' in built ? built : still(built.folder);
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
