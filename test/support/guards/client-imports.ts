import { posix } from 'node:path';
import { importsOf } from '../syntax.ts';
import type { TreeFile } from '../tree.ts';

const CLIENT = 'src/api/client.ts';

/** The client loads neither zod nor a schema at run time: its types come by `import type` alone. */
export function clientLoadsNoLibrary(files: readonly TreeFile[]): string[] {
  const tree = new Map(files.map((file) => [file.path, file]));
  const faults: string[] = [];
  const seen = new Set<string>();
  const waiting: (readonly string[])[] = [[CLIENT]];
  for (let way = waiting.pop(); way !== undefined; way = waiting.pop()) {
    const path = way.at(-1) ?? '';
    const file = tree.get(path);
    if (!file) faults.push(`${way.join(' → ')}: there is no such file`);
    if (!file || seen.has(path)) continue;
    seen.add(path);
    for (const { specifier, isType } of importsOf(file)) {
      if (isType) continue;
      const target = posix.join(posix.dirname(path), specifier);
      if (specifier.startsWith('.')) waiting.push([...way, target]);
      else faults.push(`the client loads ${specifier} at run time: ${way.join(' → ')}`);
    }
  }
  return faults;
}
