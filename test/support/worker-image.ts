import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runEngine } from './container-kind.ts';
import { write } from './git-fixture.ts';
import { tempFolder } from './temp-folder.ts';

/** What the guide requires of an image, and the shell that the Agent SDK needs. */
const PROGRAMS = ['sh', 'cat', 'env', 'git', 'bash'];

interface ImageOptions {
  /** Instructions of a Dockerfile for the image. */
  readonly declares?: readonly string[];
  /** Programs of the host that are mounted into it, without their libraries. */
  readonly runs?: readonly string[];
}

/** An image of a few files of this machine, in which `ls` shows that its programs are from the image. */
export function importImage(name: string, { declares = [], runs = [] }: ImageOptions = {}): void {
  using folder = tempFolder();
  const root = folder.file('root');
  const programs = PROGRAMS.map((program) => realpathSync(run('which', program)));
  for (const path of librariesOf([...programs, process.execPath, ...runs])) copyInto(root, path);
  for (const [n, name] of PROGRAMS.entries()) copyInto(root, programs[n] ?? '', `/usr/bin/${name}`);
  copyInto(root, join(root, 'usr/bin/sh'), '/bin/sh');
  write(join(root, 'usr/bin'), { ls: '#!/bin/sh\necho of the image\n' });
  chmodSync(join(root, 'usr/bin/ls'), 0o755);
  const archive = folder.file('root.tar');
  run('tar', '--owner=0', '--group=0', '-C', root, '-cf', archive, '.');
  runEngine('import', ...declares.flatMap((change) => ['--change', change]), archive, name);
}

function copyInto(root: string, path: string, as = path): void {
  const to = join(root, as);
  mkdirSync(dirname(to), { recursive: true });
  if (!existsSync(to)) copyFileSync(path, to);
}

/** The loader among them. */
function librariesOf(programs: readonly string[]): string[] {
  return [...run('ldd', ...programs).matchAll(/(\/\S+) \(0x/g)].map(([, path = '']) => path);
}

function run(program: string, ...args: string[]): string {
  return execFileSync(program, args, { encoding: 'utf8' }).trim();
}
