import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { isProduct, ROOT, readTree } from '../support/tree.ts';

describe('the build', () => {
  const cache = join(ROOT, '.cache');
  mkdirSync(cache, { recursive: true });
  // Inside the clone, so that the built modules find the libraries.
  const out = mkdtempSync(join(cache, 'build-'));

  before(() => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'build.ts'), out]);
    assert.equal(status, 0, `${stdout}${stderr}`);
  });
  after(() => rmSync(out, { recursive: true }));

  it('the build has a module for every source and no tests', () => {
    const sources = readTree().filter(({ path }) => /^src\/.*\.ts$/.test(path));
    const wrong = sources.filter((file) => {
      const built = join(out, file.path.replace(/^src\//, '').replace(/\.ts$/, '.js'));
      return existsSync(built) !== isProduct(file);
    });
    assert.deepEqual(
      wrong.map(({ path }) => path),
      [],
    );
  });

  it('the build contains no README for contributors', () => {
    assert.deepEqual(globSync('**/README.md', { cwd: out }), []);
  });

  it('the build imports no TypeScript sources', () => {
    const left = globSync('**/*.js', { cwd: out }).filter((path) =>
      /(import\(|from )['"][^'"]+\.ts['"]/.test(readFileSync(join(out, path), 'utf8')),
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
        join(out, 'domain/refusal.js'),
      ],
      { encoding: 'utf8' },
    );
    assert.equal(said, 'object\n');
  });
});
