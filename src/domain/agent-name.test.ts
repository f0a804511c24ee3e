import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BoardFixture } from '../../test/support/board-fixture.ts';
import { agentInLabel, resolveAgentName, SYSTEM_NAMES } from './agent-name.ts';
import { edit } from './editing.ts';

function fleet(): BoardFixture {
  return BoardFixture.usual().persona('hamlet').persona('portia', { type: 'reviewer' });
}

describe('the name of an agent', () => {
  test('a name means an instance before a persona, and a persona before a type', () => {
    const { board } = fleet()
      .persona('dev', { type: 'reviewer' })
      .persona('dev-default', { type: 'reviewer' });
    assert.deepEqual(resolveAgentName(board, 'dev-default'), {
      type: 'dev',
      instance: 'dev-default',
      agent: 'dev-default',
    });
    assert.deepEqual(resolveAgentName(board, 'dev'), {
      type: 'reviewer',
      instance: null,
      agent: 'dev',
    });
    assert.deepEqual(resolveAgentName(board, 'boss'), {
      type: 'boss',
      instance: null,
      agent: 'boss',
    });
  });

  test('a type is asked for under the slug of its persona', () => {
    const { board } = fleet().type('dev', { persona: 'hamlet' });
    assert.equal(resolveAgentName(board, 'dev')?.agent, 'hamlet');
  });

  test('a label names an agent, unless it is one of the hall itself', () => {
    assert.equal(agentInLabel('hall:hamlet'), 'hamlet');
    assert.equal(agentInLabel('hamlet'), undefined);
    for (const name of SYSTEM_NAMES) assert.equal(agentInLabel(`hall:${name}`), undefined);
  });

  test('an unknown name is refused with the names there are, the most similar first', () => {
    const table = fleet();
    const { because, mistakes } = table.refused(table.posting({ agent: 'hamlit' }));
    assert.match(because, /^no instance, persona or type is named hamlit; there are hamlet, /);
    for (const name of ['portia', 'boss', 'dev-default']) assert.match(because, new RegExp(name));
    assert.deepEqual(
      mistakes?.map(({ path }) => path),
      ['agent'],
    );
  });

  test('a long list of names is cut off', () => {
    const table = BoardFixture.usual();
    for (let n = 0; n < 30; n += 1) table.persona(`agent-${n}`);
    const { because } = table.refused(table.posting({ agent: 'agent-7x' }));
    assert.match(because, /there are agent-7, .* and 16 more \(guildhall agents list\)$/);
  });
});

describe('a task that asks for a persona', () => {
  test('any instance of the type of its persona may take it, and its thread is bound to the slug', () => {
    const table = fleet().instance('dev-2', 'dev');
    const one = table.post({ agent: 'hamlet' });
    const other = table.post({ agent: 'hamlet' });
    assert.equal(table.claim(table.worker('dev-default')).task, one.task);
    assert.equal(table.claim(table.worker('dev-2')).task, other.task);
    assert.equal(table.board.threads.get(one.thread)?.agent, 'hamlet');
  });

  test('a label asks for an agent like the field does, and the field wins', () => {
    const table = fleet();
    const labelled = table.post({ labels: ['hall:queued', 'hall:portia', 'css'] });
    assert.equal(table.board.tasks.get(labelled.task)?.type, 'reviewer');
    const both = table.post({ labels: ['hall:portia'], agent: 'hamlet' });
    assert.equal(table.board.tasks.get(both.task)?.agent, 'hamlet');
    const { mistakes } = table.refused(table.posting({ labels: ['css', 'hall:nobody'] }));
    assert.equal(mistakes?.[0]?.path, 'labels[1]');
  });

  test('an edit that asks for another agent binds the thread to it', () => {
    const table = fleet();
    const { task, thread } = table.post({ agent: 'hamlet' });
    table.do(edit(table.board, table.recalled, { task, change: { agent: 'portia' } }, table.now));
    const { type, agent } = table.board.tasks.get(task) ?? assert.fail('it is gone');
    assert.deepEqual([type, agent], ['reviewer', 'portia']);
    assert.equal(table.board.threads.get(thread)?.agent, 'portia');
  });
});
