/** A command that a branch has to pass. */
export interface Check {
  readonly name: string;
  readonly run: string;
}

/** What a repository says about how it is built and tested. */
export interface FoundCommands {
  /** The usual one first. */
  readonly checks: readonly Check[];
  readonly setup: readonly string[];
  /** Hosts from which the setup downloads packages, by its lock file. */
  readonly hosts: readonly string[];
}

/** Reads a file of the repository; null when it has none of that name. */
type ReadFile = (name: string) => Promise<string | null>;

/** Finds checks and setup in package.json and the Makefile. */
export async function findCommands(read: ReadFile): Promise<FoundCommands> {
  const scripts = scriptsIn(await read('package.json'));
  const manager = await packageManager(read);
  const checks = [
    ...named(scripts, (script) =>
      script === 'test' ? `${manager.name} test` : `${manager.name} run ${script}`,
    ),
    ...named(targetsIn(await read('Makefile')), (target) => `make ${target}`),
  ];
  return {
    checks: checks.filter(({ name }, at) => checks.findIndex((each) => each.name === name) === at),
    setup: manager.setup,
    hosts: manager.hosts,
  };
}

/** In the order in which they are offered. */
const NAMES: Readonly<Record<string, string>> = {
  test: 'tests',
  check: 'check',
  lint: 'lint',
  typecheck: 'types',
};

function named(found: readonly string[], run: (name: string) => string): readonly Check[] {
  return Object.entries(NAMES)
    .filter(([name]) => found.includes(name))
    .map(([name, check]) => ({ name: check, run: run(name) }));
}

function scriptsIn(text: string | null): readonly string[] {
  try {
    const { scripts = {} } = JSON.parse(text ?? '{}') as { scripts?: Record<string, unknown> };
    // What `npm init` writes, which always fails.
    return Object.keys(scripts).filter((name) => !/no test specified/.test(String(scripts[name])));
  } catch {
    return [];
  }
}

function targetsIn(text: string | null): readonly string[] {
  return [...(text ?? '').matchAll(/^([\w-]+)\s*:(?!=)/gm)].map(([, target = '']) => target);
}

interface PackageManager {
  readonly name: string;
  readonly setup: readonly string[];
  readonly hosts: readonly string[];
}

const LOCK_FILES = [
  { file: 'package-lock.json', name: 'npm', setup: 'npm ci' },
  { file: 'pnpm-lock.yaml', name: 'pnpm', setup: 'pnpm install --frozen-lockfile' },
  { file: 'yarn.lock', name: 'yarn', setup: 'yarn install --frozen-lockfile' },
] as const;

async function packageManager(read: ReadFile): Promise<PackageManager> {
  for (const { file, name, setup } of LOCK_FILES) {
    const lock = await read(file);
    if (lock === null) continue;
    return { name, setup: [setup], hosts: hostsIn(lock) };
  }
  return { name: 'npm', setup: [], hosts: [] };
}

function hostsIn(lock: string): readonly string[] {
  const found = [...lock.matchAll(/resolved"?:?\s*"https:\/\/([\w.-]+)\//g)];
  return [...new Set(found.map(([, host = '']) => host))].slice(0, MAX_HOSTS);
}

/** More than a few are no registries. */
const MAX_HOSTS = 5;
