import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BoardFixture } from '../../test/support/board-fixture.ts';
import { type MachineLacks, unableInstances, unableText } from './staffing.ts';

const LOCAL = { repo: 'file:/srv/shop' };
const NOTHING: MachineLacks = { isolation: () => null, backend: () => null };

function reasons(table: BoardFixture, lacks: Partial<MachineLacks> = {}): readonly string[] {
  return unableText(unableInstances(table.board, { ...NOTHING, ...lacks }));
}

describe('agents that cannot start', () => {
  test('without an invoker no agent can start in a project with a repository on this machine', () => {
    const table = BoardFixture.usual().project('shop', LOCAL);
    const [reason, ...others] = reasons(table);
    assert.match(reason ?? '', /^no agent can start in shop as .*dev-default.*: no invoker pays/);
    assert.deepEqual(others, []);
    assert.deepEqual(reasons(table.invoker('ada', 1)), []);
  });

  test('a project without a repository, or with a worker that brings its own model, lacks nothing', () => {
    assert.deepEqual(reasons(BoardFixture.usual().project('shop', { repo: null })), []);
    const table = BoardFixture.usual().project('shop', LOCAL);
    table.worker('dev-default', { bringsModel: true });
    assert.deepEqual(reasons(table), []);
  });

  test('missing isolation is a reason only where the project needs it', () => {
    const table = BoardFixture.usual().project('shop', LOCAL).invoker('ada', 1);
    const isolation: MachineLacks['isolation'] = (required) =>
      required === 'none' ? null : 'bubblewrap is not on the PATH';
    assert.match(reasons(table, { isolation })[0] ?? '', /: bubblewrap is not on the PATH$/);
    table.project('shop', { ...LOCAL, isolation: 'none' });
    assert.deepEqual(reasons(table, { isolation }), []);
  });

  test('a missing program stops only the instances of its type', () => {
    const table = BoardFixture.usual().project('shop', LOCAL).invoker('ada', 1);
    const backend: MachineLacks['backend'] = ({ name }) =>
      name === 'dev' ? 'no such program' : null;
    assert.deepEqual(reasons(table, { backend }), [
      'no agent can start in shop as dev-default: no such program',
    ]);
  });

  test('a spent weekly cap is not a reason, because it passes by itself', () => {
    const table = BoardFixture.usual().project('shop', LOCAL).invoker('ada', 0);
    assert.deepEqual(reasons(table), []);
  });
});
