import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  ADA,
  ForgeBoard,
  HALL,
  issue,
  label,
  MALLORY,
  REPO,
  ROBOT,
} from '../../../test/support/forge-board.ts';
import type { IssueSnapshot, SetLabel } from '../forge/snapshot.ts';
import { takeClosedIssue } from '../forge/take-issue.ts';
import type { TaskId } from '../ids.ts';
import { cancel } from '../operator-actions.ts';
import { itemKey } from './item.ts';
import { takeSourceIssue } from './take-issue.ts';

const KEY = itemKey('shop', `${REPO}#7`);

/** A board whose project reads the issues with some labels. */
class IssueBoard extends ForgeBoard {
  static with(labels: readonly string[]): IssueBoard {
    const table = new IssueBoard();
    table.apply({
      type: 'ForgeConnected',
      forge: { name: 'github', kind: 'github', url: 'https://github.com' },
    });
    const sources = [{ kind: 'github-issues', filter: { labels } }];
    table.project('shop', { repo: REPO, sources });
    for (const type of ['boss', 'dev']) table.type(type).instance(`${type}-default`, type);
    return table;
  }

  seen(snapshot: Partial<IssueSnapshot>, hash = 'h1'): this {
    const result = this.look({ issue: issue(snapshot) });
    for (let steps = 0; steps < 3; steps += 1) {
      this.do(takeSourceIssue(this.board, this.recalled, { result, hash }, this.now));
    }
    return this;
  }

  closed7(): this {
    const result = this.look({ issue: issue({ isOpen: false, labels: [label('ready')] }) });
    this.do(takeClosedIssue(this.board, this.recalled, result, this.now));
    return this;
  }

  get item() {
    return this.board.items.get(KEY);
  }
}

describe('an issue that a source names', () => {
  for (const [who, labels, author, because] of [
    ['a person who may write', [label('ready')], MALLORY, null],
    [
      'a person who may only read',
      [label('ready', MALLORY)],
      ADA,
      /set by mallory, who has no write/,
    ],
    [
      'an account that is gone',
      [label('ready', null)],
      ADA,
      /does not say who set the label ready/,
    ],
    ['the hall itself', [label('ready', HALL)], ADA, /set by the-hall/],
    ['a bot, for an author who may write', [label('ready', ROBOT)], ADA, null],
    ['a bot, for a stranger', [label('ready', ROBOT)], MALLORY, /set by renovate/],
  ] as const satisfies readonly (readonly [
    string,
    readonly SetLabel[],
    unknown,
    RegExp | null,
  ])[]) {
    test(`is ${because === null ? '' : 'not '}posted if its label was set by ${who}`, () => {
      const table = IssueBoard.with(['ready']).seen({ labels, author });
      assert.equal(table.board.tasks.size, because === null ? 1 : 0);
      if (because === null) assert.equal(table.item?.notPosted, undefined);
      else assert.match(table.item?.notPosted ?? '', because);
    });
  }

  test('needs all labels of the filter, each set by somebody who may write', () => {
    const table = IssueBoard.with(['ready', 'WEB']).seen({ labels: [label('ready')] });
    assert.equal(table.board.items.size, 0);
    table.seen({ labels: [label('ready'), label('web', MALLORY, 'e-2')] });
    assert.match(table.item?.notPosted ?? '', /the label web was set by mallory/);
    table.seen({ labels: [label('ready'), label('web', ADA, 'e-3')] });
    assert.equal(table.board.tasks.size, 1);
  });

  test('is posted by the right of its author where the filter names no label', () => {
    assert.equal(IssueBoard.with([]).seen({ author: MALLORY }).board.tasks.size, 0);
    const table = IssueBoard.with([]).seen({ author: ADA });
    assert.equal([...table.board.tasks.values()][0]?.actor, 'github:ada');
  });

  test('joins the thread that a label opened before', () => {
    const table = IssueBoard.with(['ready']).labelled(label('hall:dev'));
    table.seen({ labels: [label('hall:dev'), label('ready', ADA, 'e-2')] });
    assert.deepEqual([table.board.tasks.size, table.board.threads.size], [1, 1]);
    assert.equal(table.item?.thread, [...table.board.threads.keys()][0]);
  });

  test('is the one task of its thread when a label asks for its type afterwards', () => {
    const table = IssueBoard.with(['ready']).seen({ labels: [label('ready')] });
    table.labelled(label('ready'), label('hall:dev', ADA, 'e-2'));
    assert.deepEqual([table.board.tasks.size, table.board.threads.size], [1, 1]);
  });

  test('goes to the agent that a label names while it waits, and stays one task', () => {
    const table = IssueBoard.with(['ready']).seen({ labels: [label('ready')] });
    table.labelled(label('ready'), label('hall:dev-default', ADA, 'e-2'));
    const tasks = [...table.board.tasks.values()];
    assert.deepEqual(
      tasks.map(({ skill, instance }) => [skill, instance]),
      [['implement', 'dev-default']],
    );
  });

  test('that was done by a label before counts as completed and is not posted again', () => {
    const table = IssueBoard.with(['ready']).labelled(label('hall:dev'));
    table.report(table.claim(table.worker('dev-default')));
    table.seen({ labels: [label('ready', ADA, 'e-2')] });
    assert.equal(table.board.tasks.size, 0);
    assert.equal(table.item?.ended, 'done');
  });

  test('whose earlier task was cancelled is posted again', () => {
    const table = IssueBoard.with(['ready']).labelled(label('hall:dev'));
    const [task] = table.board.tasks.keys();
    const because = { task: task as TaskId, because: 'no' };
    table.do(cancel(table.board, table.recalled, because, table.now));
    table.seen({ labels: [label('ready', ADA, 'e-2')] });
    assert.equal(table.board.tasks.size, 1);
  });

  test('that is closed or loses its label is cancelled while it waits', () => {
    for (const gone of [{ isOpen: false, labels: [label('ready')] }, { labels: [] }]) {
      const table = IssueBoard.with(['ready']).seen({ labels: [label('ready')] });
      table.seen(gone);
      assert.equal(table.board.tasks.size, 0);
      assert.deepEqual([table.item?.gone, table.item?.ended], [true, 'cancelled']);
    }
  });

  test('that is closed while an agent works on it goes on, and its thread says so', () => {
    const table = IssueBoard.with(['ready']).seen({ labels: [label('ready')] });
    table.claim(table.worker('dev-default'));
    table.closed7().seen({ isOpen: false, labels: [label('ready')] });
    assert.equal(table.board.runs.size, 1);
    const notes = table.events.filter(({ type }) => type === 'SourceItemNoted');
    assert.equal(notes.length, 1);
  });

  test('of another kind of forge is nothing to the source', () => {
    const table = IssueBoard.with(['ready']);
    const sources = [{ kind: 'forgejo-issues', filter: { labels: ['ready'] } }];
    table.project('shop', { repo: REPO, sources }).seen({ labels: [label('ready')] });
    assert.equal(table.board.tasks.size, 0);
  });
});
