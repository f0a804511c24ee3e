import assert from 'node:assert/strict';
import { it } from 'node:test';
import { manyThreads } from '../../test/support/many-threads.ts';
import { sizeInTier } from '../../test/support/tier.ts';

const THREADS = sizeInTier({ test: 30, full: 1_000 });
const HEADS = 5;

/** Each change is looked at twice, and each of GitHub's two lists of checks is read once before it is known. */
const WARM_UP = 8;

it('a sweep in which nothing changed costs at most five calls, and one for each head that waits for CI', async () => {
  await using many = await manyThreads({ threads: THREADS, heads: HEADS });
  assert.equal(many.hall.hall.board.threads.size, THREADS);
  for (let n = 0; n < WARM_UP; n += 1) await many.sweep();
  for (const _ of ['quiet', 'still quiet']) {
    const calls = await many.sweep();
    const heads = calls.filter(({ path }) => /\/commits\/[0-9a-f]+\//.test(path));
    assert.equal(heads.length, HEADS, calls.map(({ path }) => path).join('\n'));
    assert.ok(calls.length - HEADS <= 5, calls.map(({ path }) => path).join('\n'));
  }
});

it('after quiet sweeps a label, a comment and the end of CI are each seen by the next one', async () => {
  await using many = await manyThreads({ threads: 3, heads: 1 });
  const { server, repo, hall } = many;
  for (const _ of ['listed', 'read again', 'known', 'quiet']) await many.sweep();
  const [head] = [...hall.hall.board.threads.values()].flatMap(({ forge }) => forge.head ?? []);
  await server.person('ada').status(repo, head ?? '', 'ci', 'success');
  for (const _ of ['check runs', 'statuses']) await many.sweep();
  const { checks } =
    [...hall.hall.board.threads.values()].find(({ forge }) => forge.head)?.forge ?? {};
  assert.equal(checks?.is, 'green');
  const number = await server.person('ada').openIssue(repo, { title: 'One more' });
  await server.person('ada').label(repo, number, 'hall:dev');
  await many.sweep();
  assert.equal(hall.hall.board.threads.size, 4);
});

it('a repository that a webhook covers is read every ten minutes, and its heads that wait for CI every minute', async () => {
  await using many = await manyThreads({ threads: 2, heads: 1, isCovered: true });
  const reads: string[] = [];
  for (let minute = 1; minute <= 10; minute += 1) {
    const calls = await many.sweep();
    const lists = calls.filter(({ path }) => path.endsWith('/issues'));
    const heads = calls.filter(({ path }) => /\/commits\/[0-9a-f]+\//.test(path));
    assert.ok(heads.length > 0, `nothing was asked about the head in minute ${minute}`);
    reads.push(lists.length > 0 ? 'list' : 'heads');
  }
  assert.deepEqual(reads, [...Array(9).fill('heads'), 'list']);
});
