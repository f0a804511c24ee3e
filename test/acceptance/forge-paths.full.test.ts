import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ForgeHall, REPO } from '../support/forge-hall.ts';
import { type Json, until } from '../support/hall-fixture.ts';
import { DEV } from '../support/worker-fixture.ts';

const skillsIn = (tasks: readonly Json[]) => tasks.map(({ skill }) => skill).sort();

describe('paths to an agent on a forge', () => {
  it('HA-025a: an issue that is assigned to the hall, or labelled hall:dispatch-automaton, is triaged by Old Major', async () => {
    await using shop = await ForgeHall.open();
    const assigned = shop.issue('', { title: 'Assigned' });
    shop.ada.assign(REPO, assigned, 'hall');
    await shop.thread('it is posted', ({ tasks }) => tasks.length > 0, assigned);
    const labelled = shop.issue('hall:dispatch-automaton', { title: 'Labelled' });
    await shop.thread('it is posted', ({ tasks }) => tasks.length > 0, labelled);
    const tasks = await shop.tasks();
    assert.deepEqual(skillsIn(tasks), ['triage', 'triage']);
    const claim = await shop.claim('triage', 'boss-default');
    assert.match(await shop.prompt(claim, 'boss-default'), /Old Major/);
  });

  it('HA-023b: a comment and a review that mention the hall post address-review with their text and their comments on lines', async () => {
    await using shop = await ForgeHall.open();
    shop.forge.control.setCi(() => [{ name: 'test', conclusion: 'success' }]);
    shop.issue();
    await shop.push(await shop.claim('implement'));
    await shop.review('approved');
    const { number } = await shop.pull();
    await shop.ada.review(REPO, number, { state: 'commented', body: 'Nice.' });
    await shop.ada.review(REPO, number, {
      state: 'commented',
      body: '@hall a name is missing.',
      comments: [{ path: 'a.txt', line: 1, body: 'Here.' }],
    });
    const first = await shop.claim('address-review');
    assert.match(await shop.prompt(first), /a name is missing\.[\s\S]*a\.txt:1: Here\./);
    await shop.push(first);
    await shop.review('approved');
    shop.ada.comment(REPO, number, '@hall the colour is wrong, too.');
    const second = await shop.claim('address-review');
    assert.match(await shop.prompt(second), /the colour is wrong, too/);
    assert.equal((await shop.tasks()).filter(({ skill }) => skill === 'address-review').length, 2);
  });

  it('HA-065b: a type has its own branch prefix, CI of such a branch counts, and its account is assigned or asked for a review', async () => {
    const types = {
      dev: { ...DEV, forge_user: 'hall-dev', branch_prefix: 'robots' },
      reviewer: { ...DEV, forge_user: 'hall-reviewer' },
    };
    await using shop = await ForgeHall.open({ types });
    const { control } = shop.forge;
    for (const login of ['hall-dev', 'hall-reviewer']) {
      control.addPerson(login);
      control.setRole(REPO, login, 'write');
    }
    const red = { name: 'test', conclusion: 'failure', log: 'expected 2\n' } as const;
    control.setCi(({ branch }) => (branch === 'robots/dev/issue-1' ? [red] : []));
    const number = shop.issue('', { title: 'Assigned' });
    shop.ada.assign(REPO, number, 'hall-dev');
    const claim = await shop.claim('implement');
    assert.equal(claim.task.type, 'dev');
    const { caller } = await shop.worker();
    const { body: brief } = await caller.get(`/v1/runs/${claim.run}/brief`);
    assert.equal(brief.branch, 'robots/dev/issue-1');
    await shop.push(claim, { branch: brief.branch });
    await shop.claim('fix-ci');

    await shop.ada.push(REPO, { branch: 'mine', files: { 'm.txt': 'm\n' } });
    const pull = await shop.ada.openPull(REPO, { title: 'Mine', head: 'mine' });
    shop.ada.requestReview(REPO, pull, 'hall-reviewer');
    const review = await shop.claim('review', 'reviewer-default');
    assert.equal(review.task.type, 'reviewer');
  });
});

describe('bots on a forge', () => {
  it('HA-035a: comments, reviews and assignments of a bot start nothing, by its type and not by its name', async () => {
    await using shop = await ForgeHall.open();
    const { control } = shop.forge;
    control.setCi(() => [{ name: 'test', conclusion: 'success' }]);
    const permissions = { issues: 'write', pull_requests: 'write' };
    const { login } = control.addApp({ owner: 'ada', name: 'robot', permissions, events: [] });
    control.addPerson('release-bot');
    for (const name of [login, 'release-bot']) control.setRole(REPO, name, 'write');
    const robot = control.as(login);
    const number = shop.issue();
    await shop.push(await shop.claim('implement'));
    await shop.review('approved');
    const { number: pull } = await shop.pull();
    const talk = shop.issue('', { title: 'Talk' });
    robot.comment(REPO, talk, '@hall dev');
    robot.assign(REPO, talk, 'hall');
    robot.comment(REPO, pull, '@hall zebra');
    await robot.review(REPO, pull, { state: 'changes_requested', body: '@hall zebra' });
    const person = control.as('release-bot');
    person.comment(REPO, pull, '@hall the name is wrong');
    const claim = await shop.claim('address-review');
    assert.doesNotMatch(await shop.prompt(claim), /zebra/);
    person.comment(REPO, talk, '@hall dev');
    await until('the person counts', async () => (await shop.tasks()).length === 4);
    assert.deepEqual(skillsIn(await shop.tasks()), [
      'address-review',
      'implement',
      'implement',
      'review',
    ]);
    const bound = await shop.thread('it is open', ({ pr }) => pr?.state === 'open', number);
    assert.equal(bound.review_rounds, 0);
  });
});
