import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The loaded package; it is optional and large, so the first run loads it. */
export type Sdk = typeof import('@anthropic-ai/claude-agent-sdk');

const PACKAGE = '@anthropic-ai/claude-agent-sdk';

export function loadSdk(): Promise<Sdk> {
  return import(PACKAGE) as Promise<Sdk>;
}

/** Path of the agent's program on this machine, or what is missing and how to fix it. */
export function findProgram(): { readonly path: string } | { readonly missing: string } {
  const folder = folderOf(PACKAGE, import.meta.url);
  if (folder === undefined) {
    return { missing: `the optional package ${PACKAGE} is not installed; ${howToInstall()}` };
  }
  const builds = [
    `${process.platform}-${process.arch}`,
    `${process.platform}-${process.arch}-musl`,
  ];
  for (const build of builds) {
    const beside = folderOf(`${PACKAGE}-${build}`, join(folder, 'package.json'));
    const path = beside && join(beside, 'claude');
    if (path !== undefined && existsSync(path)) return { path };
  }
  const platform = `${process.platform} on ${process.arch}`;
  return {
    missing: `${PACKAGE} is installed without its program for ${platform}; ${howToInstall()}`,
  };
}

/** A clone has it among its own packages. Elsewhere it is a package of the operator, beside this one. */
function howToInstall(): string {
  const root = resolve(fileURLToPath(new URL('../../..', import.meta.url)));
  const packages = dirname(root);
  if (basename(packages) !== 'node_modules') {
    return `in ${root}, run: npm install --include=dev --include=optional`;
  }
  const { peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const home = dirname(packages);
  const place = existsSync(join(home, 'package.json'))
    ? `in ${home}, run: npm install`
    : 'run: npm install --global';
  // Its peers are needed for its types only, and are a hundred packages.
  return `${place} --legacy-peer-deps --save-exact ${PACKAGE}@${peerDependencies[PACKAGE]}`;
}

/** Searches folder by folder: neither package allows importing its package.json. */
function folderOf(name: string, from: string): string | undefined {
  const folders = createRequire(from).resolve.paths(name) ?? [];
  return folders
    .map((folder) => join(folder, name))
    .find((folder) => existsSync(join(folder, 'package.json')));
}
