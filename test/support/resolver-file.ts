import { writeFileSync } from 'node:fs';
import { after } from 'node:test';
import { tempFolder } from './temp-folder.ts';

/** The settings of a resolver, at an address that nobody has; removed after the tests of the file. */
export function resolverFile(): string {
  const folder = tempFolder();
  after(() => folder[Symbol.dispose]());
  const path = folder.file('resolv.conf');
  writeFileSync(path, 'nameserver 192.0.2.53\n', { mode: 0o644 });
  return path;
}
