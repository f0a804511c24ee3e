import type { TreeFile } from '../tree.ts';

/** It has none: its `gypfile: false` is not kept in the lock file, so npm takes its binding.gyp for a script. */
const WITHOUT_SCRIPTS = ['node_modules/better-sqlite3'];

const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies'];

/** Exact versions give the same tree today and in a year. */
export function dependenciesArePinned(files: readonly TreeFile[]): string[] {
  return files
    .filter(({ path }) => /(^|\/)package\.json$/.test(path))
    .flatMap(({ path, text }) => {
      const manifest = JSON.parse(text);
      return KINDS.flatMap((kind) => Object.entries<string>(manifest[kind] ?? {}))
        .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
        .map(([name, version]) => `${path}: ${name} is "${version}", not one exact version`);
    });
}

interface Locked {
  readonly resolved?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
}

/** Addresses in the lock file would tie an install to one registry or mirror. */
export function lockHasNoAddresses(files: readonly TreeFile[]): string[] {
  return lockedIn(files, /(^|\/)package-lock\.json$/)
    .filter(({ locked }) => locked.resolved !== undefined && !locked.link)
    .map(
      ({ path, name, locked }) => `${path}: ${name} has the address ${locked.resolved}; remove it`,
    );
}

/** Installing the product runs no code of its packages; npm 12 would not run it anyway. */
export function noInstallScripts(files: readonly TreeFile[]): string[] {
  return lockedIn(files, /^package-lock\.json$/)
    .filter(({ locked }) => locked.hasInstallScript && !locked.dev)
    .filter(({ name }) => !WITHOUT_SCRIPTS.includes(name))
    .map(({ path, name }) => `${path}: ${name} has an install script`);
}

/** A path in a developer's home folder means nothing to anyone else. */
export function noMachinePaths(files: readonly TreeFile[]): string[] {
  const folders = ['root', 'home', 'work', 'Users'].join('|');
  const pattern = new RegExp(`(?<![\\w.~$}*)-])/(?:${folders})/[\\w.]`);
  return files.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, index) =>
        pattern.test(line) ? [`${path}:${index + 1}: a path that exists on one machine only`] : [],
      ),
  );
}

function lockedIn(files: readonly TreeFile[], which: RegExp) {
  return files
    .filter(({ path }) => which.test(path))
    .flatMap(({ path, text }) =>
      Object.entries<Locked>(JSON.parse(text).packages).map(([name, locked]) => ({
        path,
        name,
        locked,
      })),
    );
}
