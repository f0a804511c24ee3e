import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { processesWith } from '../../../test/support/cell-fixture.ts';
import { PATH } from '../../../test/support/git-fixture.ts';
import { until } from '../../../test/support/hall-fixture.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { createProcessRecruits } from './worker-processes.ts';

/** Stands in for `guildhall worker run`: prints its arguments, registers and exits on SIGTERM. */
const WORKER = `
  trap 'echo "finished first"; exit 0' TERM
  echo "$@"
  while [ "$1" != --record ]; do shift; done
  echo w-7 > "$2"
  while :; do sleep 0.05; done`;
const BROKEN = 'echo "no way in" >&2; exit 1';

describe('workers as processes', () => {
  it('a recruited worker starts as its instance, in the given projects', async () => {
    await using stage = stageFor(WORKER);
    await stage.recruits.start('dev-default', ['shop', 'site']);
    const recruit = await stage.registered();
    assert.deepEqual(
      [recruit.instance, recruit.worker, recruit.lastOutput],
      ['dev-default', 'w-7', null],
    );
    const output = readFileSync(join(stage.folder, `${recruit.name}.log`), 'utf8');
    assert.match(output, /--project shop --project site --instance dev-default/);
  });

  it('a recruited worker is found again after the hall restarts', async () => {
    await using stage = stageFor(WORKER);
    await stage.recruits.start('dev-default', []);
    const { name } = await stage.registered();
    const [found] = await stage.again().list();
    assert.deepEqual([found?.name, found?.isAlive], [name, true]);
  });

  it('a dismissed worker exits, and its last line of output is kept', async () => {
    await using stage = stageFor(WORKER);
    await stage.recruits.start('dev-default', []);
    stage.recruits.dismiss(await stage.registered());
    assert.equal((await stage.gone()).lastOutput, 'finished first');
  });

  it('forgetting a worker removes its files, except the log of one that never registered', async () => {
    for (const [script, left] of [
      [WORKER, 0],
      [BROKEN, 1],
    ] as const) {
      await using stage = stageFor(script);
      await stage.recruits.start('dev-default', []);
      if (script === WORKER) stage.recruits.dismiss(await stage.registered());
      const gone = await stage.gone();
      if (script === BROKEN) assert.equal(gone.lastOutput, 'no way in');
      await stage.recruits.forget(gone);
      assert.deepEqual(await stage.recruits.list(), []);
      assert.equal(readdirSync(stage.folder).length, left);
    }
  });

  it('only the latest logs of workers that never registered are kept', async () => {
    await using stage = stageFor(BROKEN);
    await stage.recruits.start('dev-default', []);
    const gone = await stage.gone();
    for (let n = 0; n < 100; n += 1) {
      const old = join(stage.folder, `dev-default-${n}.log`);
      writeFileSync(old, 'no way in\n');
      utimesSync(old, n, n);
    }
    await stage.recruits.forget(gone);
    const left = readdirSync(stage.folder);
    assert.equal(left.length, 20);
    assert.ok(left.includes(`${gone.name}.log`) && left.includes('dev-default-99.log'));
  });

  it('a worker whose record cannot be written is killed', async () => {
    // Its log has a name that is just short enough, its record one that is too long.
    const instance = 'a'.repeat(255 - '-12345678.log'.length);
    const length = `${100_000 + Math.floor(Math.random() * 800_000)}.${process.pid}`;
    await using stage = stageFor(`exec sleep ${length}`);
    await assert.rejects(stage.recruits.start(instance, []), { code: 'ENAMETOOLONG' });
    await until('it is dead', async () => processesWith(length).length === 0);
    assert.deepEqual(readdirSync(stage.folder), []);
  });
});

function stageFor(script: string) {
  const folder = tempFolder();
  const again = () =>
    createProcessRecruits({
      folder: folder.path,
      command: ['sh', '-c', script, 'worker'],
      env: { PATH },
      sweepCells: () => undefined,
    });
  const recruits = again();
  const first = async (
    matches: (recruit: { isAlive: boolean; worker: string | null }) => boolean,
  ) => until('it is so', async () => (await recruits.list()).find(matches));
  return {
    recruits,
    again,
    folder: folder.path,
    registered: () => first(({ worker }) => worker !== null),
    gone: () => first(({ isAlive }) => !isAlive),
    async [Symbol.asyncDispose]() {
      for (const recruit of await recruits.list()) recruits.dismiss(recruit);
      await until('all have gone', async () =>
        (await recruits.list()).every(({ isAlive }) => !isAlive),
      );
      for (const recruit of await recruits.list()) await recruits.forget(recruit);
      folder[Symbol.dispose]();
      assert.ok(!existsSync(folder.path));
    },
  };
}
