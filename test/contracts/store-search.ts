import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TaskId, ThreadId } from '../../src/domain/ids.ts';
import type { Store, TaskQuery } from '../../src/ports/store.ts';
import type { History } from '../support/history.ts';
import { RESULT } from '../support/history.ts';
import { allPages, indexAll, opened } from '../support/opened-store.ts';
import { settleIn } from '../support/story.ts';
import type { OpenStore } from './store.contract.ts';

/** Posts tasks by title, with everything that is known about each, and indexes them. */
async function postedAs(
  { history, store }: { history: History; store: Store },
  titles: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<TaskId, string>> {
  settleIn(history);
  const posted = Object.entries(titles).map(([title, body]) => {
    const { task } = history.post('shop', { title, body });
    return [task, title] as const;
  });
  await history.commit(store);
  await indexAll(store);
  return new Map(posted);
}

async function found(store: Store, query: Omit<TaskQuery, 'limit'>): Promise<readonly TaskId[]> {
  const pages = await allPages((before) =>
    store.tasks({ ...query, limit: 50, ...(before !== undefined && { before: before as TaskId }) }),
  );
  return pages.flat().map(({ task }) => task.id);
}

const TAX = 'Show prices with tax';
const RUSSIAN = 'Ёлка — починить вход';
const GERMAN = 'Straßenkarte für Größe ändern';
const GREEK = 'Διόρθωση ΟΔΟΣ';
const CHINESE = '计算消费税并显示价格';
const JAPANESE = '消費税の計算を直す';
const KOREAN = '세금을 계산하는 코드';
const THAI = 'แก้ไขภาษีมูลค่าเพิ่ม';
const HINDI = 'हिन्दी शब्द';
const HEBREW = 'שָׁלוֹם עולם';
const CODE = 'Rename max_retry_count in src/retry.ts:12 (C++)';
const EMOJI = '🚀 Launch the new shop';

const TEXTS: Readonly<Record<string, string>> = {
  [TAX]: 'The cart shows each price with AND without "VAT"; see NOT-FOUND page.',
  [RUSSIAN]: '',
  [GERMAN]: '',
  [GREEK]: '',
  [CHINESE]: '',
  [JAPANESE]: 'データbaseを更新',
  [KOREAN]: '',
  [THAI]: '',
  [HINDI]: '',
  [HEBREW]: '',
  [CODE]: '',
  [EMOJI]: 'Prices stay.',
};

/** What is typed, and the titles that it finds. */
const SEARCHES: readonly (readonly [typed: string, titles: readonly string[]])[] = [
  ['tax', [TAX]],
  ['TAX prices', [TAX]],
  ['prices vat', [TAX]],
  ['prices', [TAX, EMOJI]],
  ['ax', []],
  ['rices', []],
  // The last word may be the start of one, from three letters on.
  ['pri', [TAX, EMOJI]],
  ['prices wit', [TAX]],
  ['pric tax', []],
  ['pr', []],
  ['pri ', []],
  ['pri.', []],
  ['retry 1', []],
  ['retry 12', [CODE]],
  ['елка', [RUSSIAN]],
  ['ЁЛКА вход', [RUSSIAN]],
  ['strassenkarte', [GERMAN]],
  ['STRASSENKARTE GROSSE', [GERMAN]],
  ['grosse andern', [GERMAN]],
  ['οδος', [GREEK]],
  ['διορθωση', [GREEK]],
  ['消费税', [CHINESE]],
  ['税', [CHINESE, JAPANESE]],
  ['税费', []],
  ['消費税', [JAPANESE]],
  ['計算を', [JAPANESE]],
  ['database', []],
  ['ﾃﾞｰﾀ base', [JAPANESE]],
  ['세금', [KOREAN]],
  ['계산', [KOREAN]],
  ['ภาษี', [THAI]],
  ['हिन्दी', [HINDI]],
  ['शब्द', [HINDI]],
  ['שלום', [HEBREW]],
  ['max_retry_count', [CODE]],
  ['src/retry.ts', [CODE]],
  ['c++', [CODE]],
  ['🚀', [EMOJI]],
  // Nothing typed is a command to the database.
  ['"tax', [TAX]],
  ['tax*', [TAX]],
  ['ta*', []],
  ['-tax', [TAX]],
  ['tax OR retry', []],
  ['with AND without', [TAX]],
  ['NOT found', [TAX]],
  ['tax NEAR(prices, 2)', []],
  ['words:tax', []],
  ['task_search: tax', []],
  ["tax'", [TAX]],
  ["tax') OR 1=1 --", []],
  ['(tax)', [TAX]],
  ['tax & prices | !x', []],
  ['tax:*', [TAX]],
  ['^tax', [TAX]],
  ['tax\\', [TAX]],
  ['tax\0prices', [TAX]],
  ['%', []],
  ['" "', []],
  ['*', []],
  ['\0', []],
  ['\ud800tax', [TAX]],
  ['\ue000', []],
];

export function storeSearch(open: OpenStore): void {
  test('a search finds tasks by words of any language and takes nothing as syntax', async () => {
    await using written = await opened(open);
    const titles = await postedAs(written, TEXTS);
    for (const [text, expected] of SEARCHES) {
      const hits = (await found(written.store, { text })).map((id) => titles.get(id));
      assert.deepEqual(hits.toSorted(), expected.toSorted(), JSON.stringify(text));
    }
  });

  test('a search finds a word of any length, and one of hundreds of words', async () => {
    await using written = await opened(open);
    const long = 'x'.repeat(5_000);
    const many = Array.from({ length: 200 }, (_, n) => `word${n}`).join(' ');
    const body = String.fromCodePoint(...range(0x4e00, 20_000));
    const titles = await postedAs(written, { [long.slice(0, 300)]: long, Many: many, Wide: body });
    const search = async (text: string) =>
      (await found(written.store, { text })).map((id) => titles.get(id)?.slice(0, 4));
    assert.deepEqual(await search(long), ['xxxx']);
    assert.deepEqual(await search(many), ['Many']);
    assert.deepEqual(await search('word7 word199'), ['Many']);
    assert.deepEqual(await search(String.fromCodePoint(...range(0x5000, 100))), ['Wide']);
    assert.deepEqual(await search(String.fromCodePoint(...range(0x3300, 80))), []);
  });

  test('a task whose text has more words than an index holds is found by its first words', async () => {
    await using written = await opened(open);
    const body = Array.from({ length: 262_144 }, (_, n) =>
      String.fromCodePoint(0x4e00 + ((n * n * 7 + n) % 20_000)),
    ).join('');
    const titles = await postedAs(written, { Huge: body, Other: '' });
    for (const text of ['huge', body.slice(0, 20)]) {
      const hits = await found(written.store, { text });
      assert.deepEqual(
        hits.map((id) => titles.get(id)),
        ['Huge'],
      );
    }
  });

  test('a search sees what is indexed, and the index says which event it reaches', async () => {
    await using written = await opened(open);
    const { history, store } = written;
    assert.equal(await store.indexedTo(), 0);
    settleIn(history);
    const { task } = history.post('shop', { title: 'Paint the door' });
    await history.commit(store);
    assert.deepEqual(await found(store, { text: 'door' }), []);
    assert.equal(await store.indexedTo(), 0);

    await indexAll(store);
    assert.deepEqual(await found(store, { text: 'door' }), [task]);
    assert.equal(await store.indexedTo(), history.head.seq);

    history.record({ type: 'TaskEdited', task, change: { title: 'Paint the gate' } });
    await history.commit(store);
    const indexed = await store.indexedTo();
    assert.equal(indexed < history.head.seq, true);
    const to = history.head.seq;
    assert.equal(await store.index({ from: indexed, to, tasks: [task], threads: [] }), true);
    assert.deepEqual(await found(store, { text: 'door' }), []);
    assert.deepEqual(await found(store, { text: 'gate' }), [task]);
    await written.reopen();
    assert.deepEqual(await found(written.store, { text: 'gate' }), [task]);
    assert.equal(await written.store.indexedTo(), to);
  });

  test('an index that another writer moved is not written', async () => {
    await using written = await opened(open);
    const { history, store } = written;
    const titles = await postedAs(written, { 'Paint the door': '' });
    const [task] = [...titles.keys()];
    history.record({ type: 'TaskEdited', task: task as TaskId, change: { title: 'A gate' } });
    await history.commit(store);
    const reached = await store.indexedTo();
    const change = { to: history.head.seq, tasks: [task as TaskId], threads: [] };
    for (const from of [0, reached - 1, history.head.seq]) {
      assert.equal(await store.index({ ...change, from }), false);
    }
    assert.equal(await store.indexedTo(), reached);
    assert.deepEqual(await found(store, { text: 'gate' }), []);
    assert.equal(await store.index({ ...change, from: reached }), true);
    assert.deepEqual(await found(store, { text: 'gate' }), [task]);
    const unknown = { tasks: [999_999 as TaskId], threads: [999_999 as ThreadId] };
    assert.equal(await store.index({ ...unknown, from: change.to, to: change.to }), true);
  });

  test('tasks are found by the branch and the pull request of their thread, and by links in their texts', async () => {
    await using written = await opened(open);
    const { history, store } = written;
    settleIn(history);
    const issue = 'https://forge.example/acme/shop/issues/12';
    const { task, thread } = history.post('shop', {
      title: 'Fix the cart',
      body: `See ${issue}, or (${issue}#issuecomment-7).`,
    });
    const { task: other } = history.post('shop', { body: `${issue}3 and 12 issues of shop` });
    const run = history.claim(task, history.worker('dev-1'));
    const pr = { number: 40, url: 'https://forge.example/acme/shop/pulls/40' };
    const result = { ...RESULT, branch: 'hall/dev/issue-12', commit: 'a'.repeat(40), pr };
    history.end(run, { at: history.at, how: 'completed', outcome: 'pr_created', result });
    const review = history.join(thread, { skill: 'review', title: 'Look at it' });
    await history.commit(store);
    const to = history.head.seq;
    await store.index({ from: 0, to, tasks: [other], threads: [thread] });

    const both = [review, task];
    assert.deepEqual(await found(store, { branch: 'hall/dev/issue-12' }), both);
    assert.deepEqual(await found(store, { branch: 'hall/dev/issue-1' }), []);
    assert.deepEqual(await found(store, { branch: 'dev/issue-12' }), []);
    assert.deepEqual(await found(store, { text: 'hall/dev/issue-12' }), both);
    for (const link of [pr.url, `${pr.url}/`, 'http://FORGE.example/acme/shop/pulls/40#x']) {
      assert.deepEqual(await found(store, { link }), both, link);
    }
    assert.deepEqual(await found(store, { link: issue }), [task]);
    assert.deepEqual(await found(store, { link: `${issue}3` }), [other]);
    assert.deepEqual(await found(store, { text: issue }), [other, task]);
    assert.deepEqual(await found(store, { text: 'cart', branch: 'hall/dev/issue-12' }), [task]);
    assert.deepEqual(await found(store, { text: '!', branch: 'hall/dev/issue-12' }), []);
    for (const name of ['', '"', "'", '\0', '*']) {
      assert.deepEqual(await found(store, { branch: name }), []);
      assert.deepEqual(await found(store, { link: name }), []);
    }
  });
}

function range(first: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, n) => first + n);
}
