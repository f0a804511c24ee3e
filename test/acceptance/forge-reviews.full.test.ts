import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ForgeHall, REPO } from '../support/forge-hall.ts';
import { type Json, until } from '../support/hall-fixture.ts';

const GREEN = () => [{ name: 'test', conclusion: 'success' } as const];

const POINTS = `The idea is right.

a.txt:1: the text misses the name of the customer`;

describe('reviews on a forge', () => {
  it('HA-023a HA-023c CH-075c CH-075d CH-083a CH-083b CH-083c: agents and people review in rounds, a request for changes stands until its author says otherwise, and a merge rebases the others', async () => {
    const project = { merge_policy: 'on-approval', max_rounds: 5 };
    await using shop = await ForgeHall.open({ project });
    shop.forge.control.setCi(GREEN);
    const number = shop.issue();
    const first = await shop.push(await shop.claim('implement'), { files: { 'a.txt': 'one\n' } });
    const other = shop.issue('hall:dev', { title: 'Add b.txt' });
    const aside = await shop.push(await shop.claim('implement'), {
      files: { 'b.txt': 'b\n' },
      branch: `hall/dev/issue-${other}`,
    });
    const clash = shop.issue('hall:dev', { title: 'Add a.txt too' });
    await shop.push(await shop.claim('implement'), {
      files: { 'a.txt': 'something else\n' },
      branch: `hall/dev/issue-${clash}`,
    });

    await shop.review('changes_requested', { details: POINTS });
    const pull = await pullOf(shop, number);
    const shown = await until('the review of the agent is on the forge', async () => {
      const all = (await shop.ask(`/repos/${REPO}/pulls/${pull}/reviews`)) as Json[];
      return all.length > 0 && all;
    });
    assert.deepEqual(
      shown.map(({ state }) => state),
      ['COMMENTED'],
      'the forge refuses a verdict of the author',
    );
    assert.match(shown[0]?.body, /requests changes\.[\s\S]*The idea is right\./);
    const lines = (await shop.ask(`/repos/${REPO}/pulls/${pull}/comments`)) as Json[];
    assert.deepEqual(
      lines.map(({ path, line, body }) => [path, line, body]),
      [['a.txt', 1, 'the text misses the name of the customer']],
    );
    const judged = await shop.thread('the board counts it', (each) => each.verdict, number);
    assert.deepEqual([judged.verdict.is, judged.review_rounds], ['changes_requested', 1]);

    await shop.push(await shop.claim('address-review'), { files: { 'a.txt': 'one two\n' } });
    const again = await shop.claim('review', 'reviewer-default');
    const rounds = [again];
    while (rounds.at(-1)?.task.thread !== judged.id) {
      await approve(shop, rounds.at(-1) as Json, 'approved');
      rounds.push(await shop.claim('review', 'reviewer-default'));
    }
    const prompt = await shop.prompt(rounds.at(-1) as never, 'reviewer-default');
    assert.match(prompt, new RegExp(`You requested changes on ${first}.*git diff ${first} HEAD`));
    assert.match(prompt, /a\.txt:1: the text misses the name of the customer/);
    await shop.ada.review(REPO, pull, {
      state: 'changes_requested',
      body: 'Say more.',
      comments: [{ path: 'a.txt', line: 1, body: 'Here.' }],
    });
    await shop.thread('the request of a person counts', (each) => each.review_rounds === 2, number);
    await approve(shop, rounds.at(-1) as Json, 'approved');
    const address = await claimIn(shop, 'address-review', judged.id);
    assert.match(await shop.prompt(address as never), /Say more\.[\s\S]*a\.txt:1: Here\./);
    const third = await shop.push(address as never, { files: { 'a.txt': 'one two three\n' } });
    await approve(shop, await claimIn(shop, 'review', judged.id), 'approved');
    await until('ada is asked to look again', async () => {
      const { requested_reviewers: asked } = await shop.ask(`/repos/${REPO}/pulls/${pull}`);
      return asked.some(({ login }: Json) => login === 'ada');
    });
    const waits = await shop.thread('it waits for ada', (each) => each.merge_waiting_for, number);
    assert.match(waits.merge_waiting_for, /another review by github:ada/);
    const before = (await shop.tasks()).filter(({ thread }) => thread === judged.id).length;
    await shop.ada.review(REPO, pull, { state: 'approved', body: 'Good.' });
    await until(
      'it is merged',
      async () => (await shop.ask(`/repos/${REPO}/pulls/${pull}`)).merged,
    );
    assert.equal(
      (await shop.tasks()).filter(({ thread }) => thread === judged.id).length,
      before,
      'an approval posts nothing',
    );
    assert.ok(third);

    const moved = await shop.thread('the other is rebased', (each) => each.head !== aside, other);
    assert.ok(
      !(await shop.tasks()).some((each) => each.thread === moved.id && each.skill === 'rebase'),
    );
    const conflict = await claimIn(shop, 'rebase', (await threadOf(shop, clash)).id);
    assert.match(await shop.prompt(conflict as never), /conflicts with its base in a\.txt/);
  });
});

async function threadOf(shop: ForgeHall, number: number): Promise<Json> {
  return shop.thread('there is a thread', () => true, number);
}

async function pullOf(shop: ForgeHall, number: number): Promise<number> {
  return (await shop.thread('it has a pull request', ({ pr }) => pr, number)).pr.number;
}

async function approve(shop: ForgeHall, claim: Json, verdict: string): Promise<void> {
  const { thread } = await shop.fixture.get(`/v1/threads/${claim.task.thread}`);
  const worker = await shop.worker('reviewer-default');
  const report = { outcome: 'comment_posted', verdict, commit: thread.head, summary: 'Read it.' };
  await worker.mustCall('report', claim as never, report);
}

/** Claims the task of a thread, and leaves others of the same type for later. */
async function claimIn(shop: ForgeHall, skill: string, thread: string): Promise<Json> {
  const instance = skill === 'review' ? 'reviewer-default' : 'dev-default';
  const worker = await shop.worker(instance);
  return until(`there is a task ${skill} in ${thread}`, async () => {
    const { status, body } = await worker.claim();
    if (status !== 200) return false;
    await worker.mustCall('start', body);
    if (body.task.thread === thread && body.task.skill === skill) return body;
    await worker.mustCall('report', body, {
      outcome: 'comment_posted',
      summary: 'Not now.',
      ...(body.task.skill === 'review' && {
        verdict: 'approved',
        commit: (await shop.fixture.get(`/v1/threads/${body.task.thread}`)).thread.head,
      }),
    });
    return false;
  });
}
