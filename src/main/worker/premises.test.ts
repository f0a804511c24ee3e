import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { PATH } from '../../../test/support/git-scene.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { findProgram } from '../../adapters/containers/runtime.ts';
import { createGitWorkspaces } from '../../adapters/git/workspaces.ts';
import { createClock } from '../../adapters/system/clock.ts';
import { createLog } from '../../adapters/system/log.ts';
import { keepMachine } from '../../worker/keep-machine.ts';
import { createPremises } from './premises.ts';

describe('the premises of workers', () => {
  it('CH-090: one folder that cannot be removed keeps nobody from the others', async () => {
    using temp = tempFolder();
    const root = temp.file('runs');
    for (const worker of ['w-1', 'w-2', 'w-3']) {
      mkdirSync(join(root, worker, `r-${worker}`), { recursive: true });
      writeFileSync(join(root, `${worker}.lock`), '');
    }
    const path = programsWhere(temp.file('bin'), 'case "$*" in */r-w-2) exit 1 ;; esac');
    const lines: string[] = [];
    await keepMachine({
      workspaces: createGitWorkspaces({ ...GIT, root: temp.file('git') }),
      premises: createPremises(root, { path }),
      clock: createClock(),
      log: createLog({ write: (line) => lines.push(line) }, () => []),
      keep: 1,
      budgetBytes: null,
      cellsFor: () => Promise.reject(new Error('nothing was noted that would need a cell')),
    });
    const left = ['w-1', 'w-2', 'w-3'].filter((worker) => existsSync(join(root, worker)));
    assert.deepEqual(left, ['w-2']);
    assert.match(lines.join(''), /folder not removed.*r-w-2/);
  });
});

const GIT = { path: PATH, secrets: () => [], gnupgHome: null, onProgress: () => undefined };

/** The programs that premises need, of which rm begins with a line of the test's. */
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
