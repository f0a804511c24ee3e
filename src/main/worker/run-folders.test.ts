import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { PATH } from '../../../test/support/git-fixture.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { findProgram } from '../../adapters/containers/engine.ts';
import { createGitWorkspaces } from '../../adapters/git/workspaces.ts';
import { createClock } from '../../adapters/system/clock.ts';
import { createLog } from '../../adapters/system/log.ts';
import { cleanMachine } from '../../worker/clean-machine.ts';
import { createRunFolders } from './run-folders.ts';

describe('the run folders of workers', () => {
  it('a folder that cannot be removed does not stop the removal of the others', async () => {
    using temp = tempFolder();
    const root = temp.file('runs');
    for (const worker of ['w-1', 'w-2', 'w-3']) {
      mkdirSync(join(root, worker, `r-${worker}`), { recursive: true });
      writeFileSync(join(root, `${worker}.lock`), '');
    }
    const path = programsWhere(temp.file('bin'), 'case "$*" in */r-w-2) exit 1 ;; esac');
    const lines = await cleanUp(root, { git: temp.file('git'), path });
    const left = ['w-1', 'w-2', 'w-3'].filter((worker) => existsSync(join(root, worker)));
    assert.deepEqual(left, ['w-2']);
    assert.match(lines, /folder not removed.*r-w-2/);
  });

  it('work that could not be inspected stays, however old it is', async () => {
    using temp = tempFolder();
    const root = temp.file('runs');
    const run = join(root, 'w-1/r-1');
    mkdirSync(run, { recursive: true });
    writeFileSync(join(root, 'w-1.lock'), '');
    const repo = { url: temp.file('unreachable.git'), credential: null };
    const note = { repo, branch: 'hall/dev/issue-1', isolation: null, plan: { run: 'r-1' } };
    writeFileSync(join(run, 'run.json'), JSON.stringify(note));
    utimesSync(run, 1_000, 1_000);
    const lines = await cleanUp(root, { git: temp.file('git'), path: PATH });
    assert.match(lines, /work not rescued.*unreachable/);
    assert.ok(existsSync(run));
  });

  it('work with an unreadable note stays, and the other folders are removed', async () => {
    using temp = tempFolder();
    const root = temp.file('runs');
    for (const worker of ['w-1', 'w-2']) {
      mkdirSync(join(root, worker, `r-${worker}`), { recursive: true });
      writeFileSync(join(root, `${worker}.lock`), '');
    }
    mkdirSync(join(root, 'w-1/r-w-1/run.json'));
    const lines = await cleanUp(root, { git: temp.file('git'), path: PATH });
    assert.match(lines, /work not rescued.*EISDIR/);
    assert.ok(existsSync(join(root, 'w-1/r-w-1')));
    assert.ok(!existsSync(join(root, 'w-2')));
  });
});

/** Cleans up once with a retention of a millisecond. Returns what was logged. */
async function cleanUp(
  root: string,
  { git, path }: { git: string; path: string },
): Promise<string> {
  const lines: string[] = [];
  await cleanMachine({
    workspaces: createGitWorkspaces({ ...GIT, root: git }),
    runFolders: createRunFolders(root, { path }),
    clock: createClock(),
    log: createLog({ write: (line) => lines.push(line) }, () => []),
    keep: 1,
    budgetBytes: null,
    cellsFor: () => Promise.reject(new Error('no note needs a cell')),
  });
  return lines.join('');
}

const GIT = { path: PATH, secrets: () => [], gnupgHome: null, onProgress: () => undefined };

/** The programs that run folders need; the given line runs first in rm. */
function programsWhere(folder: string, line: string): string {
  mkdirSync(folder);
  for (const name of ['flock', 'chmod']) symlinkSync(real(name), join(folder, name));
  writeFileSync(join(folder, 'rm'), `#!/bin/sh\n${line}\nexec ${real('rm')} "$@"\n`);
  chmodSync(join(folder, 'rm'), 0o755);
  return folder;
}

function real(name: string): string {
  return findProgram(name, PATH) ?? name;
}
