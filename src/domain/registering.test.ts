import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BoardFixture } from '../../test/support/board-fixture.ts';
import { isRefusal } from './refusal.ts';
import { type Registration, register } from './registering.ts';

const BARE = { kind: 'none', gaps: ['bubblewrap is not on the PATH'] } as const;

function joining(asked: Partial<Registration>): Registration {
  return {
    instance: 'dev-default',
    projects: null,
    bringsModel: false,
    tokenHash: 'hash',
    host: null,
    ...asked,
  };
}

describe('a worker that registers', () => {
  const table = BoardFixture.usual().project('walled').project('open', { isolation: 'none' });
  const ask = (asked: Partial<Registration>) => register(table.board, joining(asked), table.now);
  const projectsOf = (asked: Partial<Registration>) => {
    const [event] = ask(asked).events;
    return event?.type === 'WorkerRegistered' ? event.worker.projects : assert.fail();
  };

  test('a worker on a machine with isolation may work wherever its instance may', () => {
    assert.equal(projectsOf({ cells: { kind: 'sandbox', gaps: [] } }), null);
    assert.equal(projectsOf({}), null, 'one with cells of its own is not asked');
  });

  test('a worker on a machine without isolation works only in projects that require none', () => {
    assert.deepEqual(projectsOf({ cells: BARE }), ['open']);
    assert.deepEqual(projectsOf({ cells: BARE, projects: ['open', 'walled'] }), ['open']);
  });

  test('a worker on a machine without isolation is refused, with the gaps, when all its projects require it', () => {
    const { answer } = ask({ cells: BARE, projects: ['walled'] });
    assert.ok(isRefusal(answer));
    assert.equal(answer.refused, 'no_cell');
    assert.match(answer.because, /bubblewrap is not on the PATH/);
  });

  test('a worker whose token was revoked while its request was on the way is refused', () => {
    const late = { ...table.now, actor: 'joiner:barn' };
    const { answer, events } = register(table.board, joining({}), late);
    assert.ok(isRefusal(answer));
    assert.deepEqual([answer.refused, events], ['unknown_token', []]);
  });
});
