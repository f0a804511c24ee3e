import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ForgeHall, REPO } from '../support/forge-hall.ts';
import { type Json, until } from '../support/hall-fixture.ts';

const PARTS = ['Ground', 'Floor', 'Roof', 'Door', 'Sign'];
const ASK_RIGHT = 'GET /repos/{owner}/{repo}/collaborators/{username}/permission';

describe('who may do something on a forge', () => {
  it('HA-110b: nothing starts while the forge does not say who may ask for it', async () => {
    await using shop = await ForgeHall.open();
    const { faults } = shop.forge;
    for (const [login, fault] of [
      ['ada', { is: 'status', status: 500 }],
      ['bob', { is: 'drop', done: false }],
    ] as const) {
      faults.inject(fault, { operation: ASK_RIGHT, times: Infinity });
      const before = (await shop.tasks()).length;
      const person = shop.forge.control.as(login);
      const number = person.openIssue(REPO, { title: `Of ${login}` });
      person.addLabels(REPO, number, ['hall:dev']);
      await until('the hall says that it could not ask', () =>
        new RegExp(`forge failed.*collaborators/${login}/permission`).test(shop.hall.output),
      );
      assert.equal((await shop.tasks()).length, before);
      faults.clear();
      await shop.thread('it starts once the forge answers', () => true, number);
    }
  });

  it('HA-110c: answers, reviews, commands and the approval of proposed tasks count only from people with the right', async () => {
    await using shop = await ForgeHall.open();
    const { ada, forge } = shop;
    forge.control.setCi(() => [{ name: 'test', conclusion: 'success' }]);
    const mallory = forge.control.as('mallory');
    const number = shop.issue();
    const worker = await shop.worker();
    const asked = await shop.claim('implement');
    await worker.mustCall('ask', asked, { question: 'Which colour?' });
    await shop.card(number, /Which colour\?/);
    mallory.comment(REPO, number, 'Red!');
    for (const command of COMMANDS) mallory.comment(REPO, number, command);
    ada.comment(REPO, number, 'Blue.');
    const claim = await shop.claim('implement');
    const prompt = await shop.prompt(claim);
    assert.match(prompt, /Blue\./);
    assert.doesNotMatch(prompt, /Red!/);
    await shop.push(claim);

    const pull = (await shop.pull()).number;
    await shop.review('approved');
    await mallory.review(REPO, pull, { state: 'changes_requested', body: 'Start over.' });
    await mallory.review(REPO, pull, { state: 'commented', body: '@hall start over' });
    mallory.comment(REPO, pull, '@hall start over');
    mallory.comment(REPO, pull, '/handover');
    ada.comment(REPO, pull, '/why');
    await shop.comment(number, /Nothing is waiting or running here/);
    const still = await shop.thread('it is reviewed', ({ verdict }) => verdict, number);
    assert.equal(still.handed_over, null);
    const skills = (await shop.tasks()).map(({ skill }) => skill).sort();
    assert.deepEqual(skills, ['implement', 'review']);
    await ada.review(REPO, pull, { state: 'changes_requested', body: 'Say more.' });
    const address = await shop.claim('address-review');
    const feedback = await shop.prompt(address);
    assert.match(feedback, /Say more\./);
    assert.doesNotMatch(feedback, /tart over/);
    const judged = await shop.thread('it is judged', () => true, number);
    assert.equal(judged.review_rounds, 1);

    const large = shop.issue('hall:boss', { title: 'Build a shop' });
    const waiting = await shop.thread('it is posted', ({ tasks }) => tasks.length > 0, large);
    await shop.fixture.caller.call('PATCH', `/v1/tasks/${waiting.tasks[0]}`, { size: 'XL' });
    const split = await shop.claim('decompose', 'boss-default');
    const children = PARTS.map((title) => ({ title }));
    const boss = await shop.worker('boss-default');
    await boss.mustCall('report', split, { outcome: 'completed', summary: 'Split.', children });
    mallory.comment(REPO, large, '/approve');
    ada.comment(REPO, large, '/why');
    await shop.comment(large, /hall-reply/);
    const states = async () =>
      (await shop.tasks())
        .filter(({ title }: Json) => PARTS.includes(title))
        .map(({ state }) => state);
    assert.deepEqual(
      await states(),
      PARTS.map(() => 'proposed'),
    );
    ada.comment(REPO, large, '/approve');
    await shop.comment(large, /Approved\./);
    assert.ok((await states()).every((state) => state !== 'proposed'));
  });
});

const COMMANDS = ['/cancel', '/retry', '/handover', '/why', '/approve', '/handback'];
