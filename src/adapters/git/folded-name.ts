/**
 * Two names that fold to the same text are one file on some file system: ext4 with `casefold` and
 * APFS compare by canonical decomposition and full case folding without ignorable characters, and
 * Windows drops dots and spaces at the end. Upper case first, because `ß` and `ſ` fold only that way.
 */
export function foldedName(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFD')
    .replace(/[. ]+$/, '');
}

/** Folds each part of a path. */
export function foldedPath(path: string): string {
  return path.split('/').map(foldedName).join('/');
}

/** Matches every spelling that some file system treats as `.git`. */
export function isGitFolder(name: string): boolean {
  const plain = foldedName(name.normalize('NFKC').replace(/:.*$/s, ''));
  return plain === '.git' || /^git~\d+$/.test(plain);
}
