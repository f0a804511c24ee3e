import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Environment } from '../config/variable-references.ts';
import { createFolder } from '../main/create-folder.ts';
import type { CommandSpec } from './command.ts';
import { InvalidUsage } from './invalid-usage.ts';
import { shellQuote } from './shell-quote.ts';

const run = promisify(execFile);

/** The exit code of git outside any repository; a missing remote has another one. */
const NO_REPOSITORY = 128;

export const INIT: CommandSpec = {
  path: 'init',
  summary: 'write a commented guildhall.yaml for this folder',
  uses: 'nothing',
  arguments: [
    { usage: '[folder]', about: 'target folder, created if missing (default: the current folder)' },
  ],
  options: [{ flags: '--force', about: 'overwrite an existing guildhall.yaml' }],
  examples: ['guildhall init', 'guildhall init ~/hall'],
  run: async ({ out, cwd, environment, command }, input) => {
    const folder = resolve(cwd, input.maybe(0) ?? '.');
    const file = join(folder, 'guildhall.yaml');
    if (existsSync(file) && !input.flag('force')) {
      throw new InvalidUsage(`${file} already exists; overwrite it with --force`);
    }
    createFolder(folder, 0o777);
    const found = await repoOf(folder, environment);
    const repo = found ?? 'file:.';
    writeFileSync(file, textFor(folder, repo));
    out.answer({ file, project: projectName(folder), repo }, () => `wrote ${file}`);
    if (found === null)
      out.say(`${folder} is not a git repository; set repo: in that file to yours`);
    const where = folder === resolve(cwd) ? [] : ['--config', shellQuote(file)];
    out.say(
      out.colours.dim(
        `next: ${command('config check', ...where)}, then ${command('start', ...where)}`,
      ),
    );
  },
};

/** The example of the package, with the folder's own name and repository. */
function textFor(folder: string, repo: string): string {
  const example = readFileSync(new URL('../../guildhall.example.yaml', import.meta.url), 'utf8');
  return example
    .replace(/^( {2}- name: )example$/m, `$1${projectName(folder)}`)
    .replace(/^( {4}repo: )file:\./m, `$1${repo}`);
}

function projectName(folder: string): string {
  const plain = basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+|\.(?=\.)/g, '');
  return plain.slice(0, 60) || 'example';
}

/** A GitHub remote becomes github:owner/name; any other repository is used in place. Null: no repository. */
async function repoOf(folder: string, env: Environment): Promise<string | null> {
  try {
    const { stdout } = await run('git', ['remote', 'get-url', 'origin'], { cwd: folder, env });
    const path = /github\.com[:/]([\w.-]+\/[\w.-]+?)(?:\.git)?\s*$/.exec(stdout)?.[1];
    return path === undefined ? 'file:.' : `github:${path}`;
  } catch (error) {
    return (error as { code?: unknown }).code === NO_REPOSITORY ? null : 'file:.';
  }
}
