import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BoardFixture } from '../../test/support/board-fixture.ts';
import { type Declaration, declare } from './apply-config.ts';
import { pause } from './pausing.ts';

const ADA = {
  name: 'ada',
  settings: { weeklyCap: 100, projects: null },
  declared: { file: 'guildhall.yaml', line: 1 },
};

function declared(table: BoardFixture, invokers: Declaration['invokers']): void {
  const types = [...table.board.types.values()];
  table.do(
    declare(table.board, { projects: [], types, invokers, forges: [], personas: null }, table.now),
  );
}

/** With a run that it pays for. */
function paying(): BoardFixture {
  const table = BoardFixture.usual();
  declared(table, [ADA]);
  const ada = table.board.invokers.get('ada') ?? assert.fail('nobody pays');
  table.apply({ type: 'InvokerSet', invoker: { ...ada, reserved: 1 } });
  return table;
}

describe('an invoker that leaves the file while it pays for a run', () => {
  test('an invoker that left the file while paying for a run pays for no other until it is back in the file', () => {
    const table = paying();
    declared(table, []);
    assert.equal(
      table.board.invokers.get('ada')?.paused?.because,
      'it left the configuration file',
    );
    declared(table, [ADA]);
    assert.equal(table.board.invokers.get('ada')?.paused, null);
  });

  test('an invoker that a person paused stays paused when it returns to the file', () => {
    const table = paying();
    table.do(pause(table.board, { kind: 'invoker', name: 'ada' }, 'over budget', table.now));
    declared(table, []);
    declared(table, [ADA]);
    assert.equal(table.board.invokers.get('ada')?.paused?.because, 'over budget');
  });
});
