import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CellRefused, type Cells, type EscapeAttempt } from '../ports/cell.ts';
import { type CellBuilders, chooseCells } from './choose-cells.ts';
import { createCellsOfMachine } from './worker/cells.ts';

describe('choosing cells', () => {
  test('a project that names no isolation gets the sandbox', async () => {
    assert.equal((await chooseCells(builders({}), null)).kind, 'sandbox');
  });

  test('a project that names no isolation gets a container where no sandbox can be built', async () => {
    const chosen = await chooseCells(builders({ sandbox: 'no bwrap' }), null);
    assert.equal(chosen.kind, 'container');
  });

  test('D23: a project that names no isolation never runs without isolation', async () => {
    const refused = chooseCells(builders({ sandbox: 'no bwrap', container: 'no engine' }), null);
    await assert.rejects(refused, (error: Error) => {
      assert.equal(error instanceof CellRefused, true);
      assert.match(error.message, /sandbox: no bwrap.*container: no engine.*isolation: none/);
      return true;
    });
  });

  test('D23: a project that names one kind of isolation gets no other', async () => {
    await assert.rejects(chooseCells(builders({ sandbox: 'no bwrap' }), 'sandbox'), /no bwrap/);
  });

  test('D23: cells from which an escape attempt succeeds are refused, naming the attempt', async () => {
    const leaky = { name: 'name resolution', blocked: false, found: '/etc/resolv.conf' };
    await assert.rejects(
      chooseCells(builders({}, [leaky]), 'sandbox'),
      /name resolution \(\/etc\/resolv.conf\)/,
    );
  });

  test('isolation that failed once is tried again, and isolation that worked is not verified again', async () => {
    let tries = 0;
    const sandbox = () => {
      tries += 1;
      return builders(tries === 1 ? { sandbox: 'the disk is full' } : {}).sandbox();
    };
    const cellsFor = createCellsOfMachine({ path: '' }, { ...builders({}), sandbox });
    await assert.rejects(cellsFor('sandbox'), /the disk is full/);
    assert.equal((await cellsFor('sandbox')).kind, 'sandbox');
    assert.equal(await cellsFor('sandbox'), await cellsFor('sandbox'));
    assert.equal(tries, 2);
  });

  test('a project with isolation none gets cells without isolation', async () => {
    assert.equal((await chooseCells(builders({}), 'none')).kind, 'none');
  });
});

function builders(
  refusals: { readonly sandbox?: string; readonly container?: string },
  probes: readonly EscapeAttempt[] = [],
): CellBuilders {
  const build = (kind: Cells['kind'], refusal?: string) => async (): Promise<Cells> => {
    if (refusal !== undefined) throw new CellRefused(refusal);
    const open = () => Promise.reject(new Error('not opened here'));
    return { kind, gaps: [], open, verifyIsolation: async () => probes };
  };
  return {
    sandbox: build('sandbox', refusals.sandbox),
    container: build('container', refusals.container),
    none: build('none'),
  };
}
