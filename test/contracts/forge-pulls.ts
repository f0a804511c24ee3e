import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PullSnapshot } from '../../src/domain/forge/snapshot.ts';
import type { ForgeServer } from '../support/forge-server.ts';
import type { TheServer } from './forge.contract.ts';
import { look, NOTHING_SEEN } from './forge-issues.ts';

export const BRANCH = 'hall/dev/issue-1';

/** Pull requests and reviews. */
export function forgePulls(name: string, the: TheServer): void {
  test(`on ${name} a branch never gets a second pull request, whoever opened the first and however often it is asked`, async () => {
    const server = the();
    const repo = await server.newRepository();
    await server.person('hall').push(repo, BRANCH, { 'b.txt': 'b\n' });
    const plan = { repo, branch: BRANCH, base: null, title: 'Add b', body: 'Closes #1.' };
    const both = await Promise.all([
      server.forge.ensurePullRequest(plan),
      server.forge.ensurePullRequest(plan),
    ]);
    assert.deepEqual(both[0], both[1]);
    assert.deepEqual(await server.forge.ensurePullRequest({ ...plan, base: 'main' }), both[0]);
    await server.person('ada').push(repo, 'other', { 'c.txt': 'c\n' });
    const opened = await server.person('ada').openPull(repo, { head: 'other' });
    const found = await server.forge.ensurePullRequest({ ...plan, branch: 'other' });
    assert.equal(found.number, opened);
    const { body } = await server.person('ada').ask('GET', `/repos/${repo}/pulls?state=all`);
    assert.equal(body.length, 2);
  });

  test(`a look at an issue of ${name} finds the pull request of its branch, and its head when it has moved`, async () => {
    const { server, repo, pull, commit } = await aPull(the);
    const issue = await server.person('ada').openIssue(repo, { title: 'Greet' });
    const place = { repo, number: null, branch: BRANCH };
    const target = { repo, number: issue, pull: place, seen: NOTHING_SEEN };
    const found = (await server.forge.look(target))?.pull;
    assert.deepEqual([found?.number, found?.head, found?.state], [pull, commit, 'open']);
    assert.deepEqual([found?.branch, found?.base, found?.isSameRepository], [BRANCH, 'main', true]);
    const moved = await server.person('ada').push(repo, BRANCH, { 'b.txt': 'better\n' });
    const later = (await server.forge.look({ ...target, pull: { ...place, number: pull } }))?.pull;
    assert.equal(later?.head, moved);
  });

  test(`reviews of ${name} have their verdict, their commit and their author, and a dismissed one says so`, async () => {
    const { server, repo, pull, commit } = await aPull(the);
    const rejected = await server
      .person('bob')
      .review(repo, pull, 'changes_requested', 'Say more.');
    const moved = await server.person('hall').push(repo, BRANCH, { 'b.txt': 'better\n' });
    await server.person('ada').review(repo, pull, 'approved', 'Good.');
    await server.person('eve').review(repo, pull, 'commented', 'Hm.');
    const { reviews } = await lookAtPull(server, repo, pull);
    assert.deepEqual(
      reviews.map(({ author, is, commit: on, body }) => [author.login, is, on, body]),
      [
        ['bob', 'changes_requested', commit, 'Say more.'],
        ['ada', 'approved', moved, 'Good.'],
        ['eve', 'commented', moved, 'Hm.'],
      ],
    );
    const after = { comment: 0, review: rejected };
    const later = (await look(server, repo, pull, after))?.pull?.reviews ?? [];
    assert.deepEqual(
      later.map(({ is }) => is),
      ['approved', 'commented'],
    );
    await server.dismiss(repo, pull, rejected);
    const [first] = (await lookAtPull(server, repo, pull)).reviews;
    assert.equal(first?.is, 'dismissed');
  });

  test(`on ${name} a verdict on the hall's own pull request becomes a comment, and is written once`, async () => {
    const { server, repo, pull, commit } = await aPull(the);
    const marker = '<!-- review 1 -->';
    const plan = { repo, number: pull, commit, body: 'It is good.', marker, comments: [] };
    await server.forge.submitReview({ ...plan, is: 'approved' });
    await server.forge.submitReview({ ...plan, is: 'approved' });
    await server.forge.submitReview({
      ...plan,
      is: 'changes_requested',
      marker: '<!-- review 2 -->',
    });
    const { reviews } = await lookAtPull(server, repo, pull);
    assert.deepEqual(
      reviews.map(({ is }) => is),
      ['commented', 'commented'],
    );
    assert.match(reviews[0]?.body ?? '', /^<!-- review 1 -->\nIt is good\.$/);
  });

  test(`on ${name} the hall's verdict on a person's pull request counts`, async () => {
    const server = the();
    const repo = await server.newRepository();
    const commit = await server.person('ada').push(repo, 'theirs', { 'b.txt': 'b\n' });
    const number = await server.person('ada').openPull(repo, { head: 'theirs' });
    const marker = '<!-- review 1 -->';
    const plan = { repo, number, commit, body: 'No.', marker, comments: [] };
    await server.forge.submitReview({ ...plan, is: 'changes_requested' });
    const [review] = (await lookAtPull(server, repo, number)).reviews;
    assert.deepEqual([review?.is, review?.author.login], ['changes_requested', 'hall']);
  });
}

/** A pull request of the hall. */
export async function aPull(the: TheServer, body = '') {
  const server = the();
  const repo = await server.newRepository();
  const commit = await server.person('hall').push(repo, BRANCH, { 'b.txt': 'b\n' });
  const plan = { repo, branch: BRANCH, base: null, title: 'Add b', body };
  const { number: pull } = await server.forge.ensurePullRequest(plan);
  return { server, repo, pull, commit };
}

export async function lookAtPull(
  server: ForgeServer,
  repo: string,
  number: number,
): Promise<PullSnapshot> {
  return (await look(server, repo, number))?.pull ?? assert.fail(`no pull request ${number}`);
}
