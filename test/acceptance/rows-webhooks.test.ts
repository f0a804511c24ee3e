import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { FollowedRepository } from '../support/followed-repository.ts';
import { type Json, until } from '../support/hall-fixture.ts';
import { ROOT } from '../support/tree.ts';

const SHOP = 'acme/shop';

describe('deliveries of a forge', () => {
  it("none of GitHub's 329 public payloads crashes the hall or starts anything", async () => {
    await using followed = await FollowedRepository.open('Codertocat/Hello-World');
    const file = join(ROOT, 'test/fixtures/github-payloads/payloads.json.gz');
    const events = JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) as Json[];
    const answers = new Map<number, number>();
    for (const { name, examples } of events) {
      for (const payload of examples) {
        const status = await followed.deliver(name, payload);
        answers.set(status, (answers.get(status) ?? 0) + 1);
      }
    }
    assert.deepEqual([...answers.keys()].toSorted(), [202, 403], String([...answers]));
    assert.equal((answers.get(202) ?? 0) + (answers.get(403) ?? 0), 329);
    assert.ok((answers.get(202) ?? 0) > 100, String([...answers]));
    await followed.lookedAt();
    assert.deepEqual(await followed.tasks(), []);
    const writes = followed.calls.filter(({ method }) => method !== 'GET');
    const others = writes.filter(({ operation }) => !operation?.endsWith('{repo}/labels'));
    assert.deepEqual(others, [], 'the hall only makes its labels');
  });

  it('500 deliveries about one commit make one look and one retry', async () => {
    await using followed = await FollowedRepository.open(SHOP);
    const { issue, head } = await openedPullRequest(followed);
    const before = followed.calls.length;
    const status = (n: number) =>
      followed.deliver('status', {
        ...{ id: n, sha: head, state: 'failure', context: 'ci' },
        repository: { full_name: SHOP },
      });
    // The forge answers the first look only when all deliveries are there.
    const release = holdForge(followed);
    const ada = followed.forge.control.as('ada');
    ada.comment(SHOP, issue, 'Hm.');
    const sent = await Promise.all(Array.from({ length: 500 }, (_, n) => status(n)));
    assert.deepEqual([...new Set(sent)], [202]);
    release();
    await followed.lookedAt();
    const looks = followed.looksAt(issue, before);
    assert.ok(looks >= 1 && looks <= 2, `${looks} looks: one, and one more if it had begun`);
    await until('the red head is handed to an agent', async () => {
      return (await followed.tasks()).some(({ skill }) => skill === 'fix-ci');
    });
    await status(501);
    await followed.lookedAt();
    const retries = (await followed.tasks()).filter(({ skill }) => skill === 'fix-ci');
    assert.equal(retries.length, 1);
  });

  it("a bot's own comments, and the hall's, start nothing", async () => {
    await using followed = await FollowedRepository.open(SHOP);
    const { control } = followed.forge;
    const number = control.as('ada').openIssue(SHOP, { title: 'Greet' });
    control.setRole(SHOP, 'hall', 'admin');
    followed.hook();
    for (let n = 0; n < 5; n += 1) control.as('hall').comment(SHOP, number, '@hall dev please');
    await followed.lookedAt();
    assert.ok(followed.looksAt(number) > 0);
    assert.deepEqual(await followed.tasks(), []);
  });

  it('20 labels by strangers start nothing, and cost no storm of calls', async () => {
    await using followed = await FollowedRepository.open(SHOP);
    const { control } = followed.forge;
    followed.hook();
    const ada = control.as('ada');
    const numbers = Array.from({ length: 20 }, (_, n) =>
      ada.openIssue(SHOP, { title: `Issue ${n}` }),
    );
    await followed.lookedAt();
    const before = followed.calls.length;
    control.setRole(SHOP, 'eve', 'triage');
    for (const number of numbers) control.as('eve').addLabels(SHOP, number, ['hall:dev']);
    await followed.lookedAt();
    await until('every label is taken off', () =>
      numbers.every((number) => removedFrom(followed, number)),
    );
    assert.deepEqual(await followed.tasks(), []);
    const calls = followed.calls.slice(before);
    const perIssue = calls.length / numbers.length;
    assert.ok(perIssue <= 16, `${perIssue} calls for each label`);
    const rights = calls.filter(({ path }) => path.endsWith('/collaborators/eve/permission'));
    assert.equal(rights.length, 1, 'what eve may do is asked once');
  });

  it('two bots that answer each other stop at the budget of the issue', async () => {
    await using followed = await FollowedRepository.open(SHOP);
    const { control } = followed.forge;
    control.addPerson('parrot');
    control.setRole(SHOP, 'parrot', 'write');
    followed.hook();
    const number = control.as('ada').openIssue(SHOP, { title: 'Greet' });
    const worker = await followed.fixture.worker({ projects: ['shop'] });
    let runs = 0;
    for (let n = 0; n < 15; n += 1) {
      control.as('parrot').comment(SHOP, number, `@hall dev again ${n}`);
      await followed.lookedAt();
      const answer = await worker.claim();
      if (answer.status !== 200) continue;
      runs += 1;
      await worker.complete(answer.body);
    }
    const listed = (await followed.tasks()).map(
      ({ id, skill, title, state }) => `${id} ${skill} ${title} ${state}`,
    );
    assert.ok(runs >= 5 && runs <= 10, `${runs} runs: ${listed.join('; ')}`);
    const { tasks } = await followed.fixture.get('/v1/tasks?limit=200');
    assert.ok(tasks.length <= 10, `${tasks.length} tasks`);
  });
});

/** An issue with the pull request of a run that a test played; its CI is red. */
async function openedPullRequest(followed: FollowedRepository) {
  const { control } = followed.forge;
  const ada = control.as('ada');
  const issue = ada.openIssue(SHOP, { title: 'Greet' });
  ada.addLabels(SHOP, issue, ['hall:dev']);
  await followed.deliver('issues', {
    action: 'labeled',
    issue: { number: issue },
    repository: { full_name: SHOP },
  });
  const worker = await followed.fixture.worker({ projects: ['shop'] });
  const claim = await until('the task can be claimed', async () => {
    const { status, body } = await worker.claim();
    return status === 200 && body;
  });
  const branch = claim.task.branch ?? `hall/dev/issue-${issue}`;
  const head = await control.as('hall').push(SHOP, { branch, files: { 'b.txt': 'b\n' } });
  const report = { outcome: 'pr_created', summary: 'Greets.', branch, commit: head };
  await worker.mustCall('report', claim, report);
  await until('the pull request is open', async () => {
    const { threads } = await followed.fixture.get('/v1/threads');
    return threads[0]?.pr?.number !== undefined && threads[0].pr.number !== null;
  });
  await followed.lookedAt();
  await postStatus(followed, head);
  return { issue, head };
}

async function postStatus(followed: FollowedRepository, head: string): Promise<void> {
  const token = followed.forge.control.token('ada');
  const { status } = await fetch(`${followed.forge.apiUrl}/repos/${SHOP}/statuses/${head}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ state: 'failure', context: 'ci' }),
  });
  assert.equal(status, 201);
}

/** The forge fails until it is released, so that no look ends before. */
function holdForge({ forge }: FollowedRepository): () => void {
  forge.faults.inject({ is: 'status', status: 503 }, { times: Number.POSITIVE_INFINITY });
  return () => forge.faults.clear();
}

function removedFrom({ calls }: FollowedRepository, number: number): boolean {
  const path = `/repos/${SHOP}/issues/${number}/labels/`;
  return calls.some((call) => call.method === 'DELETE' && call.path.startsWith(path));
}
