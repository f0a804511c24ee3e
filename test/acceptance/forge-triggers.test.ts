import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ForgeHall, REPO } from '../support/forge-hall.ts';
import { type Json, until } from '../support/hall-fixture.ts';

describe('what starts an agent on a forge', () => {
  it('HA-021a HA-021b HA-021c HA-022a HA-022b: a comment names an agent or answers a question, ordinary words do neither, and the card tells the state', async () => {
    await using shop = await ForgeHall.open();
    const { ada } = shop;
    const plain = ada.openIssue(REPO, { title: 'Think', body: '' });
    ada.comment(REPO, plain, '@hall please look at this');
    ada.comment(REPO, plain, '@hall no-such-agent');
    await shop.comment(plain, /There is no agent `no-such-agent`/);
    assert.deepEqual(await shop.tasks(), []);

    const number = ada.openIssue(REPO, { title: 'Paint', body: 'the shop' });
    ada.comment(REPO, number, '@hall[bot] agent: dev');
    const claim = await shop.claim('implement');
    const worker = await shop.worker();
    await worker.mustCall('ask', claim, { question: 'Which colour?' });
    const card = await shop.card(number, /awaiting-input[\s\S]*Which colour\?/);
    for (const row of ['Stage', 'Dispatched', 'Branch', 'PR', 'Run'])
      assert.match(card, new RegExp(`\\*\\*${row}\\*\\*`));
    await until('the label says so', async () => (await labels(shop, number)).length > 0);
    ada.removeLabel(REPO, number, 'hall:awaiting-input');
    ada.comment(REPO, number, 'Blue, please.');
    const again = await shop.claim('implement');
    assert.equal(again.task.id, claim.task.id);
    assert.match(await shop.prompt(again), /Blue, please\./);
  });

  it('HA-035b HA-035c: bots start nothing but by a label on the issue of somebody with the right, and the hall starts nothing itself', async () => {
    await using shop = await ForgeHall.open();
    const { control } = shop.forge;
    const permissions = { issues: 'write', pull_requests: 'write' };
    const { login } = control.addApp({ owner: 'ada', name: 'robot', permissions, events: [] });
    control.setRole(REPO, login, 'write');
    const [robot, mallory, hall] = [login, 'mallory', 'hall'].map((name) => control.as(name));
    assert.ok(robot && mallory && hall);
    const talk = shop.ada.openIssue(REPO, { title: 'Talk', body: '' });
    robot.comment(REPO, talk, '@hall dev');
    robot.assign(REPO, talk, 'hall');
    hall.comment(REPO, talk, '@hall dev');
    const strange = mallory.openIssue(REPO, { title: 'Strange', body: '' });
    robot.addLabels(REPO, strange, ['hall:dev']);
    await shop.comment(strange, /may not start `dev` here/);
    const own = shop.ada.openIssue(REPO, { title: 'Own', body: '' });
    hall.addLabels(REPO, own, ['hall:dev']);
    await shop.comment(own, /may not start `dev` here/);
    assert.deepEqual(await shop.tasks(), []);
    const good = shop.ada.openIssue(REPO, { title: 'Good', body: '' });
    robot.addLabels(REPO, good, ['hall:dev']);
    await shop.thread('the author counts', ({ title }) => title === 'Good');
    assert.equal((await shop.tasks()).length, 1);
  });
});

async function labels(shop: ForgeHall, number: number): Promise<readonly Json[]> {
  return (await shop.ask(`/repos/${REPO}/issues/${number}`)).labels;
}
