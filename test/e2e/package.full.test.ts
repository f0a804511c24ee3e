import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { runDemo, whole } from '../support/demo-run.ts';
import { linksResolve } from '../support/guards/docs.ts';
import { HallProcess, layOut } from '../support/hall-process.ts';
import { megabytesIn, npm, type Packed, pack } from '../support/packed.ts';
import { pretendNode } from '../support/pretend-node.ts';
import { type TempFolder, tempFolder } from '../support/temp-folder.ts';
import { isProduct, readTree } from '../support/tree.ts';

let packed: Packed;
before(() => {
  packed = pack();
});
after(() => packed[Symbol.dispose]());

describe('the build', () => {
  it('the build has a module for every source and no tests', () => {
    const sources = readTree().filter(({ path }) => /^src\/.*\.ts$/.test(path));
    const wrong = sources.filter((file) => {
      const built = file.path.replace(/^src\//, 'dist/').replace(/\.ts$/, '.js');
      return existsSync(join(packed.folder, built)) !== isProduct(file);
    });
    assert.deepEqual(
      wrong.map(({ path }) => path),
      [],
    );
  });

  it('the build imports no TypeScript sources', () => {
    const left = globSync('dist/**/*.js', { cwd: packed.folder }).filter((path) =>
      /(import\(|from )['"][^'"]+\.ts['"]/.test(readFileSync(join(packed.folder, path), 'utf8')),
    );
    assert.deepEqual(left, []);
  });

  it('the build loads without type stripping', () => {
    const script = `const { REFUSALS } = await import(process.argv[1]);
      console.log(typeof REFUSALS);`;
    const said = execFileSync(
      process.execPath,
      [
        '--no-experimental-strip-types',
        '--input-type=module',
        '--eval',
        script,
        join(packed.folder, 'dist/domain/refusal.js'),
      ],
      { encoding: 'utf8' },
    );
    assert.equal(said, 'object\n');
  });
});

describe('the package', () => {
  it('the package has the guides and no source maps, types or READMEs for contributors', () => {
    assert.ok(packed.files.includes('docs/guide/first-steps.md'));
    const kinds = /\.(map|ts|tsbuildinfo)$|^dist\/.*README\.md$/;
    assert.deepEqual(
      packed.files.filter((path) => kinds.test(path)),
      [],
    );
  });

  it('every link in the pages of the package leads to a file of the package', () => {
    const pages = packed.files.map((path) => ({
      path,
      text: readFileSync(join(packed.folder, path), 'utf8'),
    }));
    assert.deepEqual(linksResolve(pages), []);
  });
});

const registry = process.env['GUILDHALL_TEST_NPM_REGISTRY'];
const sdk = process.env['GUILDHALL_TEST_AGENT_SDK'];
const isLinuxX64 = process.platform === 'linux' && process.arch === 'x64';
const MEGABYTES = 60;

describe('the package in an empty folder', {
  skip: registry === undefined && 'the npm registry cannot be reached',
}, () => {
  let folder: TempFolder;
  before(() => {
    folder = tempFolder();
    npm(folder.path, 'install', '--omit=optional', packed.archive);
  });
  after(() => folder[Symbol.dispose]());

  const launcher = () => folder.file('node_modules/guildhall/bin/guildhall.js');
  const under = (version: string) =>
    spawnSync(process.execPath, [...pretendNode(version), launcher(), 'version'], {
      encoding: 'utf8',
    });

  it(`the package without its optional packages takes less than ${MEGABYTES} MB`, () => {
    const megabytes = megabytesIn(folder.file('node_modules'));
    assert.ok(megabytes < MEGABYTES, `${megabytes} MB`);
  });

  it('the package brings nothing that only a peer asks for, and no agent', () => {
    const lock = JSON.parse(readFileSync(folder.file('package-lock.json'), 'utf8'));
    const peers = Object.entries<{ peer?: boolean }>(lock.packages)
      .filter(([name, { peer }]) => peer || name.includes('@anthropic-ai'))
      .map(([name]) => name);
    assert.deepEqual(peers, []);
  });

  it('the package starts a hall that takes tasks', async () => {
    await using hall = await InstalledHall.startWith(launcher());
    const guildhall = (...args: readonly string[]) =>
      execFileSync(process.execPath, [launcher(), ...args, '--config', hall.config], {
        encoding: 'utf8',
      });
    guildhall('task', 'add', 'Show prices with tax', '--project', 'shop');
    assert.match(guildhall('board'), /Show prices with tax/);
    assert.equal(await hall.stop(), 0);
  });

  it('the package says how to get a newer Node, and that Node runs it', {
    skip: !isLinuxX64 && 'npm has a Node for Linux on x64 only',
  }, () => {
    const { stderr, status } = under('20.20.2');
    assert.equal(status, 1);
    const command =
      /run "(npm install [^"]+)" where guildhall is installed/.exec(stderr)?.[1] ?? '';

    npm(folder.path, ...command.split(' ').slice(1));

    assert.match(under('20.20.2').stdout, /^guildhall /);
  });

  it('the package says how to get the Agent SDK, and then the demo runs', {
    skip: sdk === undefined && 'the Agent SDK is not installed',
  }, async () => {
    using own = tempFolder();
    const demo = () => runDemo(own, [process.execPath, launcher(), 'demo', '--json']);
    const { err } = await demo();
    const [, place = '', command = ''] = /in (\S+), run: (npm [^"]+)"/.exec(err) ?? [];
    assert.equal(place, folder.path, err);

    npm(place, ...command.split(' ').slice(1));

    assert.ok(!existsSync(folder.file('node_modules/@modelcontextprotocol')));
    const bwrap = process.env['GUILDHALL_TEST_BUBBLEWRAP'];
    whole(await demo(), bwrap === undefined ? 'none' : 'sandbox');
  });
});

/** A hall that an installed package starts. */
class InstalledHall extends HallProcess {
  #launcher = '';

  static async startWith(launcher: string): Promise<InstalledHall> {
    const hall = new InstalledHall(await layOut({ projects: { shop: 1 } }));
    hall.#launcher = launcher;
    await hall.start();
    return hall;
  }

  protected override get launcher(): string {
    return this.#launcher;
  }
}
