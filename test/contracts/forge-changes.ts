import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ForgeFailed } from '../../src/ports/forge.ts';
import type { TheServer } from './forge.contract.ts';
import { anIssue } from './forge-issues.ts';
import { aPull, BRANCH } from './forge-pulls.ts';

/** More than one page of every forge. */
const MANY = 110;

/** What changed, and answers that never came. */
export function forgeChanges(name: string, the: TheServer): void {
  test(`${name} lists every issue that changed since a moment, over several pages, and nothing older`, async () => {
    const { server, repo, number } = await anIssue(the);
    const first = await server.forge.changedSince(repo, null);
    assert.deepEqual(first.changes, [], 'none has a label of the hall');
    await server.person('ada').label(repo, number, 'hall:dev');
    const labelled = await server.forge.changedSince(repo, null);
    assert.deepEqual(
      labelled.changes.map((change) => change.number),
      [number],
    );
    const opened = [number];
    for (let n = 1; n < MANY; n += 1)
      opened.push(await server.person('ada').openIssue(repo, { title: `Issue ${n}` }));
    const { changes, newest } = await server.forge.changedSince(repo, labelled.newest ?? 0);
    const numbers = changes.map((change) => change.number);
    assert.deepEqual(
      numbers.toSorted((a, b) => a - b),
      opened,
    );
    assert.equal(newest, Math.max(...changes.map(({ updatedAt }) => updatedAt)));
    const later = await server.forge.changedSince(repo, (newest ?? 0) + 60_000);
    assert.deepEqual(later.changes, []);
  });

  test(`a closed issue and a pull request of ${name} are among what changed`, async () => {
    const { server, repo, pull } = await aPull(the);
    const issue = await server.person('ada').openIssue(repo, { title: 'Greet' });
    await server.person('ada').closeIssue(repo, issue);
    const { changes } = await server.forge.changedSince(repo, 0);
    const numbers = changes.map((change) => change.number);
    assert.deepEqual(
      numbers.toSorted((a, b) => a - b),
      [pull, issue],
    );
  });

  test(`${name} says by one call for each list whether the checks of a commit changed`, async () => {
    const { server, repo, commit } = await aPull(the);
    const changed = async () => {
      const answers: boolean[] = [];
      for (const _ of ['check runs', 'statuses'])
        answers.push(await server.forge.haveChecksChanged(repo, commit));
      return answers.includes(true);
    };
    assert.equal(await changed(), true, 'nothing was known');
    assert.equal(await changed(), false);
    await server.person('ada').status(repo, commit, 'ci/x', 'pending');
    assert.equal(await changed(), true);
    assert.equal(await changed(), false);
  });

  for (const [what, fault] of Object.entries(FAULTS)) {
    test(`${name} that ${what} is asked again, and what it did is found`, async (t) => {
      const { server, repo, number } = await anIssue(the);
      if (!server.emulator) return t.skip('a real server cannot be made to do this');
      const { faults } = server.emulator;
      const { forge } = server;
      const commit = await server.person('hall').push(repo, BRANCH, { 'b.txt': 'b\n' });
      const body = '';
      const comment = { repo, number, marker: '<!-- c -->', text: '<!-- c -->', id: null };
      const plan = { repo, branch: BRANCH, base: 'main', title: 'Add b', body };
      const writes = [
        () => forge.ensureComment(comment),
        () => forge.ensurePullRequest(plan),
        () => forge.setLabels({ repo, number, add: ['hall:queued'], remove: [] }),
        () => forge.submitReview({ ...review, repo, number: 2, commit, comments: [] }),
      ];
      for (const write of writes) {
        for (const method of ['POST', 'PUT', 'PATCH']) faults.inject(fault, { operation: method });
        await assert.rejects(write(), (error) => {
          return error instanceof ForgeFailed && error.retry === 'later';
        });
        faults.clear();
        await write();
      }
      const ask = server.person('hall').ask;
      const count = async (path: string) =>
        (await ask('GET', `/repos/${repo}/${path}`)).body.length;
      assert.equal(await count(`issues/${number}/comments`), 1);
      assert.equal(await count('pulls?state=all'), 1);
      assert.equal(await count(`issues/${number}/labels`), 1);
      assert.equal(await count('pulls/2/reviews'), 1);
    });
  }

  test(`${name} that asks to wait says for how long`, async (t) => {
    const { server, repo } = await anIssue(the);
    if (!server.emulator) return t.skip('a real server cannot be made to do this');
    for (const is of ['too_many', 'secondary_limit'] as const) {
      server.emulator.faults.inject({ is, retryAfter: 7 });
      await assert.rejects(server.forge.changedSince(repo, 0), (error) => {
        return error instanceof ForgeFailed && error.waitFor === 7_000 && error.retry === 'later';
      });
    }
  });
}

const review = { is: 'commented', body: 'Hm.', marker: '<!-- r -->' } as const;

const FAULTS = {
  'answers 500': { is: 'status', status: 500 },
  'drops the connection before doing it': { is: 'drop', done: false },
  'drops the connection after doing it': { is: 'drop', done: true },
} as const;
