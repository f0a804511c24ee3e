import { spawnSync } from 'node:child_process';
import { cpSync, globSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** `npm run build [-- <folder>]`: the product as plain JavaScript, for Node without type stripping. */
const root = import.meta.dirname;
const out = process.argv[2] ?? join(root, 'dist');

// Files of a module that is gone would otherwise be shipped for ever.
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
  // What the compiler does not carry over: pages, templates and scripts that run elsewhere.
  const carried = 'src/**/*.{js,md,sql,html,css,svg,yaml}';
  // The notes for those who change an adapter are not part of the product.
  for (const file of globSync(carried, { cwd: root, exclude: ['**/README.md'] })) {
    cpSync(join(root, file), join(out, file.slice('src/'.length)));
  }
}
