import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ForgeMerge } from '../../src/ports/forge.ts';
import type { ForgeServer } from '../support/forge-server.ts';
import { until } from '../support/hall-fixture.ts';
import type { TheServer } from './forge.contract.ts';
import { look } from './forge-issues.ts';
import { aPull, BRANCH, lookAtPull } from './forge-pulls.ts';

/** Merges, with everything that a forge answers to one. */
export function forgeMerging(name: string, the: TheServer): void {
  test(`${name} merges once, closes the issue, and a second try finds the merge`, async () => {
    const server = the();
    const repo = await server.newRepository();
    const issue = await server.person('ada').openIssue(repo, { title: 'Greet' });
    const commit = await server.person('hall').push(repo, BRANCH, { 'b.txt': 'b\n' });
    const plan = { repo, branch: BRANCH, base: null, title: 'Add b', body: `Closes #${issue}.` };
    const { number } = await server.forge.ensurePullRequest(plan);
    const merged = await settled(server, { repo, number, commit });
    assert.equal(merged.is, 'merged');
    assert.deepEqual(await merge(server, { repo, number, commit }), merged);
    const pull = await lookAtPull(server, repo, number);
    assert.deepEqual([pull.state, pull.endedBy?.login], ['merged', 'hall']);
    await until('the issue is closed', async () => {
      return (await look(server, repo, issue))?.issue?.isOpen === false;
    });
    await server.forge.deleteBranch(repo, BRANCH);
    await server.forge.deleteBranch(repo, BRANCH);
  });

  test(`${name} merges nothing when the head has moved, also between the look and the merge`, async () => {
    const { server, repo, pull: number, commit } = await aPull(the);
    await server.person('ada').push(repo, BRANCH, { 'b.txt': 'better\n' });
    assert.deepEqual(await merge(server, { repo, number, commit }), { is: 'moved' });
    assert.equal((await lookAtPull(server, repo, number)).state, 'open');
  });

  test(`${name} merges nothing that conflicts with its base, and where it can tell it says so`, async () => {
    const { server, repo, pull: number } = await aPull(the);
    const commit = await server.person('hall').push(repo, BRANCH, { 'a.txt': 'mine\n' });
    await server.person('ada').push(repo, 'main', { 'a.txt': 'theirs\n' });
    if (server.kind === 'github') {
      assert.deepEqual(await settled(server, { repo, number, commit }), { is: 'conflict' });
    } else assert.equal((await merge(server, { repo, number, commit })).is, 'not_yet');
    assert.equal((await lookAtPull(server, repo, number)).state, 'open');
  });

  test(`${name} asks to wait for a required check, and merges when it is there`, async () => {
    const { server, repo, pull: number, commit } = await aPull(the);
    await server.protect(repo, { checks: ['ci/x'] });
    const before = await merge(server, { repo, number, commit });
    assert.equal(before.is, 'not_yet', JSON.stringify(before));
    await server.person('ada').status(repo, commit, 'ci/x', 'success');
    assert.equal((await settled(server, { repo, number, commit })).is, 'merged');
  });

  test(`${name} refuses a merge that lacks an approval, with the reason`, async () => {
    const { server, repo, pull: number, commit } = await aPull(the);
    await server.protect(repo, { approvals: 1 });
    const refused = await settled(server, { repo, number, commit });
    assert.equal(refused.is, 'refused', JSON.stringify(refused));
    assert.match('because' in refused ? refused.because : '', /approv/i);
  });

  test(`a pull request of ${name} that a person merged or closed says who did`, async () => {
    const { server, repo, pull } = await aPull(the);
    await server.person('ada').merge(repo, pull);
    const merged = await lookAtPull(server, repo, pull);
    assert.deepEqual([merged.state, merged.endedBy?.login], ['merged', 'ada']);
    await server.person('ada').push(repo, 'second', { 'c.txt': 'c\n' });
    const second = await server.person('ada').openPull(repo, { head: 'second' });
    await server.person('bob').closeIssue(repo, second);
    const closed = await lookAtPull(server, repo, second);
    assert.deepEqual([closed.state, closed.endedBy?.login], ['closed', 'bob']);
  });

  test(`${name} asks to wait while it computes whether there is a conflict`, async (t) => {
    const { server, repo, pull: number, commit } = await aPull(the);
    if (!server.emulator) return t.skip('a real server cannot be held at this point');
    const { control } = server.emulator;
    control.holdMergeability(true);
    await server.person('ada').push(repo, 'main', { 'd.txt': 'd\n' });
    const held = await merge(server, { repo, number, commit });
    control.holdMergeability(false);
    assert.equal(held.is, 'not_yet', JSON.stringify(held));
    assert.equal((await settled(server, { repo, number, commit })).is, 'merged');
  });
}

interface Which {
  readonly repo: string;
  readonly number: number;
  readonly commit: string;
}

function merge({ forge }: ForgeServer, which: Which): Promise<ForgeMerge> {
  return forge.merge({ ...which, method: 'merge', title: 'Add b' });
}

/** The first answer other than "not yet", as the hall gets it by asking again. */
function settled(server: ForgeServer, which: Which): Promise<ForgeMerge> {
  return until('the forge knows whether it can be merged', async () => {
    const answer = await merge(server, which);
    return answer.is !== 'not_yet' && answer;
  });
}
