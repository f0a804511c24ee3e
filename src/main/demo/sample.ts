import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A very small shop. */
export const FILES = {
  'README.md': '# Tea shop\n\nA very small shop to work on.\n',
  'CLAUDE.md': 'Run the tests with `node --test`. Keep functions short.\n',
  'package.json': `${JSON.stringify({ name: 'tea-shop', type: 'module', private: true }, null, 2)}\n`,
  'src/price.js':
    "/** How a price is shown to customers. */\nexport function price(cents) {\n  return '€' + String(cents / 100);\n}\n",
  'test/price.test.js':
    "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { price } from '../src/price.js';\n\ntest('cents are kept', () => {\n  assert.equal(price(1234), '€12.34');\n});\n",
};

/** Creates a bare repository with one commit, for which the hall itself is the forge. */
export function makeSampleRepository(folder: string, path: string): string {
  const bare = join(folder, 'tea-shop.git');
  const work = join(folder, 'tea-shop');
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: work,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        PATH: path,
        HOME: folder,
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_AUTHOR_NAME: 'Ada',
        GIT_AUTHOR_EMAIL: 'ada@guildhall.invalid',
        GIT_COMMITTER_NAME: 'Ada',
        GIT_COMMITTER_EMAIL: 'ada@guildhall.invalid',
      },
    });
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(work, name)), { recursive: true });
    writeFileSync(join(work, name), text);
  }
  git('init', '--quiet', '--initial-branch=main', '.');
  git('add', '-A');
  git('commit', '--quiet', '-m', 'Open the shop');
  git('clone', '--quiet', '--bare', '.', bare);
  return bare;
}
