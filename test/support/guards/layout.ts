import { posix } from 'node:path';
import type { TreeFile } from '../tree.ts';

const PAGE = 'ARCHITECTURE.md';

/** The folders that ARCHITECTURE.md draws are exactly the folders that exist. */
export function architecturePageIsTrue(files: readonly TreeFile[]): string[] {
  const page = files.find(({ path }) => path === PAGE);
  if (!page) return [`${PAGE}: missing`];

  const drawn = drawnFolders(page.text);
  const present = presentFolders(files);
  return [
    ...present
      .filter((folder) => !drawn.includes(folder))
      .map((folder) => `${folder}/ is not drawn in ${PAGE}`),
    ...drawn
      .filter((folder) => !present.includes(folder))
      .map((folder) => `${PAGE} draws ${folder}/, which does not exist`),
  ];
}

/** Folders of the first tree of the page: two spaces of indent per level, a slash after the name. */
function drawnFolders(page: string): string[] {
  const tree = /^```\n((?:.*\n)*?)```/m.exec(page.slice(page.indexOf('## Layout')))?.[1] ?? '';
  const above: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', name] = /^( *)([\w.-]+)\/(?:\s|$)/.exec(line) ?? [];
    if (!name) return [];
    above.length = indent.length / 2;
    above.push(name);
    return [above.join('/')];
  });
}

/** As deep as the rules go: the top level, and one level below src/, src/adapters/ and test/. */
function presentFolders(files: readonly TreeFile[]): string[] {
  const folders = files
    .flatMap(({ path }) => foldersAbove(path))
    .filter((folder) => !folder.startsWith('.'))
    .filter((folder) => /^[^/]+$|^(src|test|src\/adapters)\/[^/]+$/.test(folder));
  return [...new Set(folders)].sort();
}

function foldersAbove(path: string): string[] {
  const folder = posix.dirname(path);
  return folder === '.' ? [] : [...foldersAbove(folder), folder];
}
