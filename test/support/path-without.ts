import { existsSync, readdirSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type TempFolder, tempFolder } from './temp-folder.ts';

/** A PATH with everything but one program: links to the others stand in for a folder that has it. */
export function pathWithout(program: string, path: string): Disposable & { readonly path: string } {
  const folders: TempFolder[] = [];
  const without = path.split(delimiter).map((folder) => {
    if (!existsSync(join(folder, program))) return folder;
    const links = tempFolder();
    folders.push(links);
    linkPrograms(folder, links, [program]);
    return links.path;
  });
  return {
    path: without.join(delimiter),
    [Symbol.dispose]: () => {
      for (const folder of folders) folder[Symbol.dispose]();
    },
  };
}

/** Links to the programs of a folder, except those named and those that are there already. */
export function linkPrograms(from: string, to: TempFolder, except: readonly string[]): void {
  for (const name of readdirSync(from)) {
    const link = to.file(name);
    if (!except.includes(name) && !existsSync(link)) symlinkSync(join(from, name), link);
  }
}
