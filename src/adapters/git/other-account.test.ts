import assert from 'node:assert/strict';
import { chmodSync, chownSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import {
  ADA,
  asWork,
  gitAs,
  gitFixture,
  planFor,
  THREAD,
} from '../../../test/support/git-fixture.ts';
import type { Cell } from '../../ports/cell.ts';

const NOBODY = 65_534;
const skip = process.getuid?.() !== 0 && 'only root can start programs as somebody else';

describe('a cell that runs as another account', { skip }, () => {
  it('a cell that runs as another account reads the mirror, has its own work tree and is harvested by root', async () => {
    using fixture = gitFixture();
    const before = process.umask(0o077);
    const mirror = await fixture.mirror().finally(() => process.umask(before));
    const cell = asNobody(await fixture.openCell());
    // Root builds a sandbox and may enter its parent folders; here they must be open.
    for (const folder of [fixture.folder, fixture.root, join(fixture.root, 'mirrors')])
      chmodSync(folder, 0o711);
    const base = (await mirror.tip('main')) ?? '';

    await mirror.checkOut(cell, {
      commit: base,
      branch: THREAD,
      base: 'main',
      who: ADA,
      objects: mirror.objects,
    });
    const touch = cell.start({ argv: ['sh', '-c', 'echo 1 > a.txt; chmod 700 .git'], env: {} });
    assert.equal((await touch.ended).code, 0);
    const work = asWork(await mirror.harvest(cell, planFor(base)));

    assert.equal((await mirror.push(work, { branch: THREAD, expected: null })).is, 'pushed');
    assert.equal(gitAs(fixture.upstream, 'show', `${THREAD}:a.txt`), '1');
  });
});

/** As a sandbox does it when the worker is root. */
function asNobody(cell: Cell): Cell {
  for (const folder of [dirname(cell.paths.work), cell.paths.work, cell.paths.home]) {
    chownSync(folder, NOBODY, NOBODY);
  }
  const drop = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] as const;
  return {
    ...cell,
    start: (command) => cell.start({ ...command, argv: [...drop, ...command.argv] }),
  };
}
