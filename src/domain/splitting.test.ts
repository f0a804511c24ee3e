import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BoardFixture, DONE, RESULT } from '../../test/support/board-fixture.ts';
import { tick } from './due-changes.ts';
import { edit } from './editing.ts';
import type { TaskId, ThreadId } from './ids.ts';
import { loseWorker } from './lost-worker.ts';
import { markMerged } from './merging/merged.ts';
import { answer, cancel, release, retry } from './operator-actions.ts';
import type { Posted } from './posting.ts';
import { reopen } from './reopening.ts';
import { askQuestion } from './reporting.ts';

const PULL_REQUEST = { ...DONE, result: { ...RESULT, pr: { number: 1, url: 'http://forge/1' } } };

function cancelled(table: BoardFixture, task: TaskId): void {
  table.do(cancel(table.board, table.recalled, { task, because: 'not needed' }, table.now));
}

function reopened(table: BoardFixture, task: TaskId): TaskId {
  return table.do(
    reopen(table.board, table.recalled, { task, title: 'again', body: '' }, table.now),
  );
}

function waitsFor(table: BoardFixture, { task }: Posted, thread: ThreadId): void {
  const change = { dependsOn: [{ thread }] };
  table.do(edit(table.board, table.recalled, { task, change }, table.now));
}

describe('a thread with children', () => {
  test('a parent whose own pull request is open is not done when its last child is done', () => {
    const table = BoardFixture.usual();
    const parent = table.post();
    const after = table.post({ dependsOn: [{ thread: parent.thread }] });
    const child = table.post({ parent: parent.task });
    table.report(table.claim(), PULL_REQUEST);
    table.report(table.claim());
    assert.equal(table.board.threads.has(child.thread), false);
    assert.equal(table.state(after.task), 'blocked');

    table.do(markMerged(table.board, parent.thread, table.now));
    assert.equal(table.state(after.task), 'available');
  });

  test('a parent of which nothing was done is cancelled together with its last child and unblocks no task', () => {
    const table = BoardFixture.usual();
    const grandparent = table.post();
    const parent = table.post({ parent: grandparent.task });
    const child = table.post({ parent: parent.task });
    const after = table.post({ dependsOn: [{ thread: parent.thread }] });
    table.report(table.claim());
    cancelled(table, parent.task);
    assert.equal(table.board.threads.has(parent.thread), true);
    cancelled(table, child.task);

    assert.equal(table.board.threads.has(parent.thread), false);
    assert.equal(table.board.threads.has(grandparent.thread), false);
    assert.equal(table.state(after.task), 'blocked');
  });

  test('a parent that is cancelled after its children were done does not keep its own parent waiting', () => {
    const table = BoardFixture.usual();
    const top = table.post();
    const other = table.post({ parent: top.task });
    const parent = table.post({ parent: top.task });
    table.post({ parent: parent.task });
    table.report(table.claim());
    table.report(table.claim());
    assert.equal(table.board.tasks.has(other.task), false);
    const first = table.claim();
    table.report(table.claim());
    table.do(release(table.board, table.recalled, { task: first.task, because: '' }, table.now));
    cancelled(table, parent.task);

    assert.equal(table.board.threads.has(top.thread), false);
  });

  test('one post cannot give a parent more than 25 children', () => {
    const table = BoardFixture.usual();
    const { task: parent } = table.post();
    const many = Array.from({ length: 26 }, () => ({ parent }));

    assert.equal(table.refused(table.posting(...many)).refused, 'invalid');
    assert.equal(table.do(table.posting(...many.slice(1))).length, 25);
  });

  test('a child cannot wait for itself through a sibling of the same post', () => {
    const table = BoardFixture.usual();
    const parent = table.post();
    const later = table.post({ dependsOn: [{ thread: parent.thread }] });
    const refusal = table.refused(
      table.posting(
        { ref: 'between', dependsOn: [{ thread: later.thread }] },
        { parent: parent.task, dependsOn: [{ ref: 'between' }] },
      ),
    );

    assert.equal(refusal.refused, 'dependency_cycle');
  });
});

describe('a child that is reopened', () => {
  test('a reopened child counts as not done while its parent is open', () => {
    const table = BoardFixture.usual();
    const parent = table.post();
    const child = table.post({ parent: parent.task });
    table.claim();
    table.report(table.claim());
    assert.equal(table.board.threads.get(parent.thread)?.childrenDone, 1);
    reopened(table, child.task);

    assert.equal(table.board.threads.get(parent.thread)?.childrenDone, 0);
  });

  test('a child reopened after its parent was closed continues without a parent', () => {
    const table = BoardFixture.usual();
    const parent = table.post();
    const child = table.post({ parent: parent.task });
    table.report(table.claim());
    table.report(table.claim());
    reopened(table, child.task);
    reopened(table, parent.task);
    table.report(table.claim());

    const thread = table.board.threads.get(child.thread);
    assert.equal(thread?.parent, null);
    assert.equal(table.board.closing.threads.get(parent.thread)?.childrenDone, 1);
  });

  test('reopening a task is refused when its dependency now waits for it', () => {
    const table = BoardFixture.usual();
    const first = table.post();
    const second = table.post({ dependsOn: [{ thread: first.thread }] });
    cancelled(table, second.task);
    waitsFor(table, first, second.thread);
    const again = { task: second.task, title: '', body: '' };
    const refusal = table.refused(reopen(table.board, table.recalled, again, table.now));

    assert.equal(refusal.refused, 'dependency_cycle');
  });
});

describe('a task whose thread waits for another', () => {
  const WAYS: Readonly<Record<string, (table: BoardFixture, task: TaskId) => void>> = {
    'is due': (table) => {
      table.report(table.claim(), { how: 'deferred', until: 5_000, why: 'quota' });
    },
    'is retried': (table) => {
      table.report(table.claim(), { how: 'deferred', until: 9e9, why: 'quota' });
    },
    'is answered': (table) => {
      const lease = { ...table.claim(), worker: null };
      table.do(askQuestion(table.board, lease, { question: 'red?', session: null }, table.now));
    },
  };
  const RETURNS: Readonly<Record<string, (table: BoardFixture, task: TaskId) => unknown>> = {
    'is due': (table) => {
      table.at = 6_000;
      return table.do(tick(table.board, table.now));
    },
    'is retried': (table, task) => table.do(retry(table.board, table.recalled, task, table.now)),
    'is answered': (table, task) =>
      table.do(answer(table.board, table.recalled, { task, text: 'red' }, table.now)),
  };

  for (const [name, leave] of Object.entries(WAYS)) {
    test(`a task whose thread waits for another stays blocked when it ${name}`, () => {
      const table = BoardFixture.usual();
      const posted = table.post();
      const other = table.post();
      leave(table, posted.task);
      waitsFor(table, posted, other.thread);
      RETURNS[name]?.(table, posted.task);

      assert.equal(table.state(posted.task), 'blocked');
      table.report(table.claim());
      assert.equal(table.state(posted.task), 'available');
    });
  }

  for (const how of ['released', 'lost'] as const) {
    test(`a task whose thread waits for another stays blocked when its run is ${how}`, () => {
      const table = BoardFixture.usual();
      const posted = table.post();
      const other = table.post();
      const worker = table.worker();
      const claimed = table.claim(worker);
      table.apply({
        type: 'ThreadChanged',
        thread: posted.thread,
        change: { dependsOn: [other.thread], blockedBy: [other.thread] },
      });
      if (how === 'lost') table.do(loseWorker(table.board, worker.id, 'silent', table.now));
      else {
        const given = { task: claimed.task, because: '' };
        table.do(release(table.board, table.recalled, given, table.now));
      }

      assert.equal(table.state(posted.task), 'blocked');
    });
  }
});
