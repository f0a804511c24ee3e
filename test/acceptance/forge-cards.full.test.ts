import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { CiJob } from '../../src/adapters/forge-emulator/state/ci-script.ts';
import { ForgeHall, REPO } from '../support/forge-hall.ts';
import { type Claim, type Json, until } from '../support/hall-fixture.ts';

const MARKER = '<!-- hall-status -->';
const bad: CiJob = { name: 'test', conclusion: 'failure', log: 'expected 2, got 3\n' };
const good: CiJob = { name: 'test', conclusion: 'success' };

function stage(name: string): RegExp {
  return new RegExp(`\\*\\*Stage\\*\\* \\| ${name}`);
}

/** The ids of the cards on a page. */
async function cardsOn(shop: ForgeHall, number: number): Promise<readonly number[]> {
  const comments = await shop.comments(number);
  return comments.filter(({ body }) => body.startsWith(MARKER)).map(({ id }) => id);
}

function labelled(shop: ForgeHall, number: number, names: readonly string[]): Promise<boolean> {
  return until(`${number} has the labels ${names}`, async () => {
    const labels = (await shop.ask(`/repos/${REPO}/issues/${number}/labels`)) as Json[];
    return isDeepStrictEqual(labels.map(({ name }) => name).sort(), names);
  });
}

describe('what the hall writes on a forge', () => {
  it('HA-096c: health shows how many writes and calls each forge still takes', async () => {
    await using shop = await ForgeHall.open();
    await shop.card(shop.issue(), stage('queued'));
    const [, writes, left, limit] = await until('health shows the budget', async () => {
      const { components } = await shop.fixture.get('/v1/health');
      const { says } = components.find(({ name }: Json) => name === 'forges');
      return (
        /github: (\d+) of 60 writes in the last minute, (\d+) of (\d+) calls left/.exec(says) ??
        false
      );
    });
    assert.ok(Number(writes) > 0 && Number(left) < Number(limit), `${writes} ${left} ${limit}`);
  });

  it('HA-074c HA-130a HA-130b HA-130c HA-161b: one card on the issue and one on the pull request go through every stage in place, copies are deleted, and only a merge completes the task', async () => {
    await using merging = await ForgeHall.open({ hall: { public_url: 'https://hall.test' } });
    await untilMerged(merging);
    await using failing = await ForgeHall.open({ project: { max_retries: 1 } });
    await untilClosed(failing);
  });
});

async function untilMerged(shop: ForgeHall): Promise<void> {
  const { control } = shop.forge;
  control.setCi(() => [good]);
  const number = shop.issue();
  await shop.card(number, stage('queued'));
  const [card] = await cardsOn(shop, number);
  const worker = await shop.worker();
  const first = await until('there is a task', async () => {
    const { status, body } = await worker.claim();
    return status === 200 && (body as Claim);
  });
  await shop.card(number, stage('dispatching'));
  await worker.mustCall('start', first);
  await shop.card(number, stage('working'));
  await worker.mustCall('ask', first, { question: 'Which one?' });
  await shop.card(number, /awaiting-input[\s\S]*> Which one\?/);
  await labelled(shop, number, ['hall:awaiting-input', 'hall:dev']);
  shop.ada.comment(REPO, number, 'The second.');

  await shop.push(await shop.claim('implement'), { summary: 'Adds the second.' });
  const pull = await shop.pull();
  assert.match(pull.body, BODY);
  await shop.review('approved');
  const text = await shop.card(number, stage('pr-opened'));
  await shop.card(pull.number, stage('pr-opened'));
  const thread = await shop.thread('it is open', ({ pr }) => pr?.state === 'open');
  assert.deepEqual(rowsOf(text), [
    '| **Stage** | pr-opened |',
    '| **Agent** | `dev` |',
    '| **Dispatched** | (time) by github:ada |',
    `| **Branch** | \`${thread.branch}\` |`,
    `| **PR** | #${pull.number} |`,
    `| **Run** | [${thread.id}](https://hall.test/threads/${thread.id}) |`,
  ]);

  const [pullCard] = await cardsOn(shop, pull.number);
  const hall = control.as('hall');
  for (const page of [number, pull.number]) hall.comment(REPO, page, `${MARKER}\na copy`);
  const forged = shop.ada.comment(REPO, number, `${MARKER}\nnot of the hall`);
  await until('the copies are deleted', async () => {
    const cards = [await cardsOn(shop, number), await cardsOn(shop, pull.number)];
    return isDeepStrictEqual(cards, [[card, forged], [pullCard]]);
  });

  await shop.ada.merge(REPO, pull.number);
  for (const page of [number, pull.number])
    await shop.card(page, /\| done \|[\s\S]*> merged, task complete/);
  await until('the branch is deleted', () => control.tip(REPO, thread.branch) === null);
  await labelled(shop, number, ['hall:dev']);
  assert.deepEqual(await cardsOn(shop, number), [card, forged]);
  assert.deepEqual(await cardsOn(shop, pull.number), [pullCard]);
}

const BODY =
  /^Closes #1\.\n\n## What changed\n\nAdds the second\.\n\n## Acceptance\n\n- \[ \] The change does/;

/** The rows under the head of the table, with the time left out. */
function rowsOf(card: string): readonly string[] {
  const rows = card.split('\n').filter((line) => line.startsWith('| **'));
  return rows.map((row) => row.replace(/[-\d]+ [:\d]+ UTC/, '(time)'));
}

async function untilClosed(shop: ForgeHall): Promise<void> {
  shop.forge.control.setCi(() => [bad]);
  const advised = shop.issue('hall:dev', { body: '### Mode\n\nadvising\n' });
  const advise = await shop.claim('advise');
  await shop.card(advised, stage('analyzing'));
  const worker = await shop.worker();
  await worker.mustCall('report', advise, { outcome: 'comment_posted', summary: 'Use a map.' });
  assert.doesNotMatch(await shop.card(advised, stage('done')), /task complete/);
  assert.equal((await cardsOn(shop, advised)).length, 1);

  const number = shop.issue();
  await shop.push(await shop.claim('implement'));
  const fix = await shop.claim('fix-ci');
  const pull = await shop.pull();
  const pages = [number, pull.number];
  for (const page of pages) await shop.card(page, stage('ci-fix \\(attempt 1 of 1\\)'));
  await shop.push(fix);
  for (const page of pages) await shop.card(page, stage('escalated'));
  shop.ada.closePull(REPO, pull.number);
  for (const page of pages) {
    assert.doesNotMatch(await shop.card(page, stage('failed')), /task complete/);
    assert.equal((await cardsOn(shop, page)).length, 1);
  }
  assert.notEqual(shop.forge.control.tip(REPO, pull.head.ref), null);
}
