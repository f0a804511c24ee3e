import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Isolation } from '../project.ts';
import { gateModeOf } from './gate-mode.ts';
import type { GateMode } from './verdict.ts';

interface Given {
  readonly gate?: GateMode;
  readonly isolation?: Isolation;
  readonly network?: readonly string[];
  readonly cells?: Isolation;
}

function modeOf({ gate, isolation, network = [], cells }: Given): GateMode {
  const settings = { gate: gate ?? null, isolation: isolation ?? null, network };
  return gateModeOf(settings, cells && { kind: cells, gaps: [] });
}

describe('the mode of the tool gate', () => {
  test('a run in a sandbox or container without network is sandboxed by default', () => {
    assert.equal(modeOf({ cells: 'sandbox' }), 'sandboxed');
    assert.equal(modeOf({ cells: 'container', isolation: 'container' }), 'sandboxed');
  });

  test('a run that may reach a host, or whose worker reports no cell, is strict by default', () => {
    assert.equal(modeOf({ cells: 'sandbox', network: ['registry.example'] }), 'strict');
    assert.equal(modeOf({}), 'strict');
  });

  test('the setting of the project overrides the default', () => {
    assert.equal(modeOf({ cells: 'sandbox', gate: 'strict' }), 'strict');
    assert.equal(
      modeOf({ cells: 'sandbox', network: ['a.example'], gate: 'sandboxed' }),
      'sandboxed',
    );
    assert.equal(modeOf({ gate: 'sandboxed' }), 'sandboxed');
  });

  test('a run without isolation is strict whatever the setting says', () => {
    assert.equal(modeOf({ isolation: 'none', cells: 'sandbox', gate: 'sandboxed' }), 'strict');
    assert.equal(modeOf({ cells: 'none', gate: 'sandboxed' }), 'strict');
  });
});
