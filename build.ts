import { spawnSync } from 'node:child_process';
import { cpSync, globSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** `npm run build [-- <folder>]`: the product as plain JavaScript, for Node without type stripping. */
const root = import.meta.dirname;
const out = process.argv[2] ?? join(root, 'dist');

// Otherwise the output of a removed module would be shipped forever.
rmSync(out, { recursive: true, force: true });

const { status } = spawnSync(
  process.execPath,
  [
    join(root, 'node_modules/typescript/bin/tsc'),
    '--project',
    join(root, 'tsconfig.build.json'),
    '--outDir',
    out,
  ],
  { stdio: 'inherit' },
);
process.exitCode = status ?? 1;

if (status === 0) {
  // Files that the compiler does not copy: pages, templates and scripts that run elsewhere.
  const carried = 'src/**/*.{js,md,sql,html,css,svg,yaml}';
  // The READMEs of the adapters are for developers and not part of the product.
  for (const file of globSync(carried, { cwd: root, exclude: ['**/README.md'] })) {
    cpSync(join(root, file), join(out, file.slice('src/'.length)));
  }
}
