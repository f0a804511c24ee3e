import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BoardFixture, RESULT } from '../../../test/support/board-fixture.ts';
import type { TaskId, ThreadId } from '../ids.ts';
import { cancel } from '../operator-actions.ts';
import type { ConfiguredSource } from './configured.ts';
import { type ItemRecord, itemKey, type SourceItem } from './item.ts';
import { postItems } from './post-items.ts';
import { progressOf, progressText } from './progress.ts';
import { updateItem } from './update-item.ts';
import { removeItem } from './withdraw-item.ts';

const SOURCE: ConfiguredSource = {
  id: 'shop-spiral-grove',
  project: 'shop',
  kind: 'spiral-grove',
  path: '.sdd/tasks',
  labels: [],
};

function item(id: string, more: Partial<SourceItem> = {}): SourceItem {
  const text = { title: id, body: 'do it', hash: 'h1', file: 'a-tasks.md', line: 1 };
  return { id, ...text, size: null, dependsOn: [], isDone: false, ...more };
}

/** A board on which a source is read, item by item. */
class SourceBoard extends BoardFixture {
  static open(...items: readonly SourceItem[]): SourceBoard {
    const table = new SourceBoard();
    table.project('shop');
    for (const type of ['boss', 'dev']) table.type(type).instance(`${type}-default`, type);
    table.do(postItems(table.board, table.recalled, { source: SOURCE, items }, table.now));
    return table;
  }

  read(...items: readonly SourceItem[]): this {
    this.do(postItems(this.board, this.recalled, { source: SOURCE, items }, this.now));
    for (const each of items) {
      for (let steps = 0; steps < 3; steps += 1) {
        this.do(updateItem(this.board, this.recalled, { source: SOURCE, item: each }, this.now));
      }
    }
    return this;
  }

  remove(id: string): this {
    const record = this.record(id);
    this.do(removeItem(this.board, this.recalled, { record, because: 'it was removed' }, this.now));
    return this;
  }

  record(id: string): ItemRecord {
    return this.board.items.get(itemKey('shop', id)) ?? assert.fail(`no record of ${id}`);
  }

  thread(id: string): ThreadId {
    return this.record(id).thread ?? assert.fail(`${id} has no thread`);
  }

  get notes(): readonly string[] {
    return this.events.flatMap((event) => (event.type === 'SourceItemNoted' ? event.text : []));
  }

  get progress(): string {
    return progressText(progressOf(this.board, this.board.items.values()));
  }

  /** The next task is claimed. */
  begin() {
    return this.claim(this.worker('dev-default'));
  }
}

describe('items of a source', () => {
  test('are posted once, in their order, with edges in both directions', () => {
    const items = [item('a', { dependsOn: ['b'] }), item('b', { size: 'S' })];
    const table = SourceBoard.open(...items)
      .read(...items)
      .read(...items);
    assert.equal(table.board.tasks.size, 2);
    assert.deepEqual(table.board.threads.get(table.thread('a'))?.blockedBy, [table.thread('b')]);
    assert.equal(table.board.threads.get(table.thread('b'))?.size, 'S');
    assert.ok(table.thread('a') < table.thread('b'));
  });

  test('that their source calls done are not posted, block nothing and count as completed', () => {
    const table = SourceBoard.open(item('a', { isDone: true }), item('b', { dependsOn: ['a'] }));
    assert.equal(table.board.tasks.size, 1);
    assert.deepEqual(table.board.threads.get(table.thread('b'))?.blockedBy, []);
    assert.equal(table.progress, '1 of 2 completed, 1 waiting');
  });

  test('that the board refuses are kept with the reason, and posted once it does not', () => {
    const table = new SourceBoard();
    table.project('shop').read(item('a'));
    assert.match(table.record('a').notPosted ?? '', /there is no type dev/);
    table.type('dev').instance('dev-default', 'dev').read(item('a'));
    assert.equal(table.board.tasks.size, 1);
    assert.equal(table.record('a').notPosted, undefined);
  });

  test('that change while their task waits change the task', () => {
    const table = SourceBoard.open(item('a'), item('b'));
    table.read(item('a', { title: 'better', hash: 'h2', size: 'L', dependsOn: ['b'] }));
    const thread = table.board.threads.get(table.thread('a'));
    assert.deepEqual([thread?.size, thread?.blockedBy], ['L', [table.thread('b')]]);
    const edited = table.events.findLast((event) => event.type === 'TaskEdited');
    assert.equal(edited?.change.title, 'better');
    assert.equal(table.record('a').hash, 'h2');
  });

  test('that change while an agent works are noted once, and become a linked task when it has ended', () => {
    const table = SourceBoard.open(item('a'));
    const claimed = table.begin();
    const changed = item('a', { title: 'better', hash: 'h2' });
    table.read(changed).read(changed);
    assert.equal(table.notes.length, 1);
    table.report(claimed);
    table.read(changed);
    const [task] = table.board.tasks.values();
    assert.equal(task?.reopens, table.thread('a') as number as TaskId);
    assert.equal(table.record('a').hash, 'h2');
  });

  test('that the merge of their own work changed are done; a later change is new work', () => {
    const table = SourceBoard.open(item('a'));
    table.report(table.begin());
    const ticked = item('a', { hash: 'h2' });
    table.read(ticked).read(ticked);
    assert.equal(table.board.tasks.size, 0);
    table.read(item('a', { hash: 'h3' }));
    assert.equal(table.board.tasks.size, 1);
  });

  test('of a failed task are posted again only when they change', () => {
    const table = SourceBoard.open(item('a'));
    table.report(table.begin(), { how: 'failed', reason: 'failed', result: RESULT });
    table.read(item('a'));
    assert.equal(table.board.tasks.size, 0);
    assert.equal(table.progress, '0 of 1 completed, 1 failed');
    table.read(item('a', { hash: 'h2' }));
    assert.equal(table.board.tasks.size, 1);
  });

  test('that disappear are cancelled, and posted again when they come back', () => {
    const table = SourceBoard.open(item('a')).remove('a');
    assert.equal(table.board.tasks.size, 0);
    assert.deepEqual([table.record('a').gone, table.record('a').ended], [true, 'cancelled']);
    assert.equal(table.progress, '0 of 0 completed');
    table.read(item('a'));
    assert.equal(table.board.tasks.size, 1);
    assert.equal(table.record('a').gone, undefined);
  });

  test('that an operator cancelled stay cancelled while they do not change', () => {
    const table = SourceBoard.open(item('a'));
    const task = table.thread('a') as number as TaskId;
    table.do(cancel(table.board, table.recalled, { task, because: 'no' }, table.now));
    table.read(item('a'));
    assert.equal(table.board.tasks.size, 0);
    table.read(item('a', { hash: 'h2' }));
    assert.equal(table.board.tasks.size, 1);
  });

  test('that disappear while an agent works leave it at work, and the thread says so once', () => {
    const table = SourceBoard.open(item('a'));
    table.begin();
    table.remove('a').remove('a');
    assert.equal(table.board.tasks.size, 1);
    assert.deepEqual(table.notes, [
      'The work goes on although it was removed; cancel it if it is not needed.',
    ]);
  });

  test('that their source calls done before anybody began are cancelled', () => {
    const table = SourceBoard.open(item('a'));
    table.read(item('a', { isDone: true }));
    assert.equal(table.board.tasks.size, 0);
    assert.equal(table.progress, '1 of 1 completed');
  });
});
