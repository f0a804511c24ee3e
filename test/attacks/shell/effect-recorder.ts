import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '../../support/temp-folder.ts';

export interface EffectRecorder extends Disposable {
  /** What a command did that no verdict allows: a program that it ran, or files that it changed. */
  effectsOf(command: string): readonly string[];
}

/**
 * Runs commands in real bash and with real programs, each in a new copy of a small repository. `mark` is a
 * program that leaves a trace; `.git/hooks`, `.git/config` and the folder outside are not to be changed.
 */
export function createEffectRecorder(): EffectRecorder {
  const folder = tempFolder();
  const [model, place] = [join(folder.path, 'model'), join(folder.path, 'place')];
  const trace = join(folder.path, 'trace');
  createModel(model, trace);
  const before = stateOf(model);
  let left = 'nothing yet';
  return {
    effectsOf(command) {
      rmSync(trace, { force: true });
      if (left !== listed(place)) {
        rmSync(place, { recursive: true, force: true });
        cpSync(model, place, { recursive: true });
        left = listed(place);
      }
      spawnSync('/bin/bash', ['--norc', '--noprofile', '-c', command], {
        cwd: join(place, 'work'),
        timeout: 3_000,
        killSignal: 'SIGKILL',
        input: '',
        stdio: ['pipe', 'ignore', 'ignore'],
        env: { PATH, HOME: join(place, 'home'), LC_ALL: 'C.UTF-8', GIT_CONFIG_NOSYSTEM: '1' },
      });
      const after = stateOf(place);
      const changed = Object.keys({ ...before, ...after }).filter(
        (key) => before[key] !== after[key],
      );
      return [
        ...(existsSync(trace) ? ['ran mark'] : []),
        ...changed.map((key) => `changed ${key}`),
      ];
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

const PATH = '/usr/local/bin:/usr/bin:/bin';

function createModel(model: string, trace: string): void {
  const work = join(model, 'work');
  for (const path of ['work/sub', 'outside', 'home'])
    mkdirSync(join(model, path), { recursive: true });
  for (const name of ['a.txt', 'b.txt', 'sub/c.txt'])
    writeFileSync(join(work, name), 'alpha\nx "b" l/\n');
  writeFileSync(join(work, 'own.txt'), '');
  writeFileSync(join(work, 'Makefile'), 'all a.txt b.txt sub x HEAD: ; @true\n');
  writeFileSync(join(work, 'mark'), `#!/bin/sh\necho marked > '${trace}'\n`);
  chmodSync(join(work, 'mark'), 0o755);
  writeFileSync(join(model, 'outside/kept'), '');
  const setup = `git init -q --template= . && mkdir .git/hooks && git add a.txt && git -c user.name=a -c user.email=a@b commit -qm x
    tar cf a.tar a.txt sub; zip -q a.zip a.txt; diff -u a.txt own.txt > fix.patch`;
  spawnSync('/bin/bash', ['-c', setup], { cwd: work, env: { PATH, HOME: join(model, 'home') } });
}

/** The contents of what is protected. */
function stateOf(place: string): Readonly<Record<string, string>> {
  const paths = ['work/.git/hooks', 'outside', 'home'].flatMap((path) => {
    const at = join(place, path);
    return existsSync(at) ? readdirSync(at).map((name) => `${path}/${name}`) : [];
  });
  const files = ['work/.git/config', ...paths];
  return Object.fromEntries(files.map((path) => [path, contentOf(join(place, path))]));
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  }
}

/** Names, sizes and times of all files: a place that a command did not touch is used again. */
function listed(place: string): string {
  if (!existsSync(place)) return '';
  const entries = readdirSync(place, { recursive: true, withFileTypes: true });
  const lines = entries.map(({ parentPath, name }) => {
    const { size, mtimeMs, mode } = lstatSync(join(parentPath, name));
    return `${parentPath}/${name} ${size} ${mtimeMs} ${mode}`;
  });
  return lines.sort().join('\n');
}
