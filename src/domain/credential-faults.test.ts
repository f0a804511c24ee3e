import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BoardFixture } from '../../test/support/board-fixture.ts';
import { noteCredentialFaults } from './credential-faults.ts';
import { why } from './why.ts';

const LOST = 'the key file hall.key does not exist';

function withFault(...handles: readonly string[]): BoardFixture {
  const table = BoardFixture.usual().invoker('ada', 5);
  const faults = new Map(handles.map((handle) => [handle, LOST]));
  table.do(noteCredentialFaults(table.board, faults));
  return table;
}

describe('an invoker whose credential cannot be read', () => {
  test('an invoker without its credential pays for no run, and pays again once it has it', () => {
    const table = withFault('ada');
    table.post();
    const worker = table.worker('dev-default', { bringsModel: false });
    assert.equal(table.refused(table.claiming(worker)).refused, 'nothing_claimable');
    table.do(noteCredentialFaults(table.board, new Map()));
    assert.ok(table.claim(worker));
  });

  test('task why names the invoker whose credential cannot be read, with the reason', () => {
    const table = withFault('ada');
    const { task } = table.post();
    table.waiting = { waits: () => true, includes: () => true };
    const row = table.board.tasks.get(task) ?? assert.fail('no task');
    const thread = table.board.threads.get(row.thread) ?? assert.fail('no thread');
    table.worker('dev-default', { bringsModel: false });
    const workforce = { waiting: table.waiting, recruiting: () => null };
    const [reason] = why(table.board, row, thread, workforce).reasons;
    assert.equal(reason?.rule, 'no_invoker');
    assert.match(reason.because, /ada cannot pay: the key file hall\.key does not exist/);
  });

  test('another invoker pays meanwhile', () => {
    const table = withFault('ada').invoker('ben', 5);
    table.post();
    const { run } = table.claim(table.worker('dev-default', { bringsModel: false }));
    assert.equal(table.board.runs.get(run)?.invoker, 'ben');
  });

  test('a fault is recorded once, and again only when its reason changes', () => {
    const table = withFault('ada');
    const again = noteCredentialFaults(table.board, new Map([['ada', LOST]]));
    assert.deepEqual(again.events, []);
    const other = noteCredentialFaults(table.board, new Map([['ada', 'it is empty']]));
    assert.equal(other.events.length, 1);
    assert.deepEqual(noteCredentialFaults(table.board, new Map([['no-one', LOST]])).events, [
      { type: 'InvokerCredentialFound', invoker: 'ada' },
    ]);
  });
});
