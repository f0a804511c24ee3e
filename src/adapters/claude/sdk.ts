import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The loaded package; it is optional and large, so the first run loads it. */
export type Sdk = typeof import('@anthropic-ai/claude-agent-sdk');

const PACKAGE = '@anthropic-ai/claude-agent-sdk';

export function loadSdk(): Promise<Sdk> {
  return import(PACKAGE) as Promise<Sdk>;
}

/** Path of the agent's program on this machine, or what is missing and how to fix it. */
export function findProgram(): { readonly path: string } | { readonly missing: string } {
  const folder = folderOf(PACKAGE, import.meta.url);
  if (folder === undefined) return { missing: NO_PACKAGE };
  const builds = [
    `${process.platform}-${process.arch}`,
    `${process.platform}-${process.arch}-musl`,
  ];
  for (const build of builds) {
    const beside = folderOf(`${PACKAGE}-${build}`, join(folder, 'package.json'));
    const path = beside && join(beside, 'claude');
    if (path !== undefined && existsSync(path)) return { path };
  }
  return { missing: NO_PROGRAM };
}

const NO_PACKAGE = `the optional package ${PACKAGE} is not installed; install it with: npm install --include=optional ${PACKAGE}`;
const NO_PROGRAM = `${PACKAGE} is installed without its program for ${process.platform} on ${process.arch}; install it with: npm install --include=optional`;

/** Searches folder by folder: neither package allows importing its package.json. */
function folderOf(name: string, from: string): string | undefined {
  const folders = createRequire(from).resolve.paths(name) ?? [];
  return folders
    .map((folder) => join(folder, name))
    .find((folder) => existsSync(join(folder, 'package.json')));
}
