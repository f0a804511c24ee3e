import { existsSync, globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './tree.ts';

/**
 * Tests start the product by its command, which prefers the build: an old one would pass or fail instead of the
 * sources.
 */
export function staleBuild(root: string = ROOT): string | undefined {
  const built = join(root, 'dist/cli/main.js');
  if (!existsSync(built)) return undefined;
  const { mtimeMs } = statSync(built);
  const changed = globSync('src/**/*.ts', { cwd: root }).find(
    (path) => !path.endsWith('.test.ts') && statSync(join(root, path)).mtimeMs > mtimeMs,
  );
  return (
    changed &&
    `dist/ is older than ${changed}, and the tests would start it; remove it with: rm -r dist`
  );
}
