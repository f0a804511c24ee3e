import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One file of the repository; the path is relative to its root, with forward slashes. */
export interface TreeFile {
  readonly path: string;
  readonly text: string;
}

export const ROOT: string = join(import.meta.dirname, '../..');

/** Every file of the repository, tracked or new; an image has no text. */
export function readTree(root: string = ROOT): TreeFile[] {
  return pathsUnder(root, '')
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
    .map(({ path, text }) => ({ path, text: text.includes('\0') ? '' : text }));
}

export function isTypeScript({ path }: TreeFile): boolean {
  return path.endsWith('.ts') || path.endsWith('.tsx');
}

/** Files that are shipped: everything under src/ that is not a test. */
export function isProduct(file: TreeFile): boolean {
  return file.path.startsWith('src/') && isTypeScript(file) && !isTest(file);
}

export function isTest({ path }: TreeFile): boolean {
  return /\.test\.tsx?$/.test(path);
}

/** What .gitignore names, and git's own folder. */
const NOT_OURS = ['.git', 'node_modules', 'dist', 'data', '.cache', 'bench/results'];
const NOT_OURS_FILES = /\.log$|^guildhall\.yaml$|\.tsbuildinfo$/;

function pathsUnder(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder ? `${folder}/${entry.name}` : entry.name;
    if (NOT_OURS.includes(entry.name) || NOT_OURS.includes(path)) return [];
    if (entry.isDirectory()) return pathsUnder(root, path);
    return entry.isFile() && !NOT_OURS_FILES.test(path) ? [path] : [];
  });
}
