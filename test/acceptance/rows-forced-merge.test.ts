import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { API_STORES } from '../support/acceptance-stores.ts';
import { gitAs, write } from '../support/git-fixture.ts';
import { type HallFixture, type Json, until } from '../support/hall-fixture.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { guildhall } from './cli-command.ts';

const FORCE = {
  merge_policy: 'force-at-max-rounds',
  max_rounds: 1,
  ci: 'none',
  approvers: ['reviewer'],
};
const BRANCH = 'hall/dev/issue-1';

/** A bare repository with one commit on main and one more on the branch of an agent. */
function repository(folder: { readonly path: string; file(name: string): string }) {
  const work = folder.file('work');
  gitAs(folder.path, 'init', '--quiet', '--initial-branch=main', work);
  for (const [branch, name] of Object.entries({ main: 'readme.md', [BRANCH]: 'work.md' })) {
    if (branch !== 'main') gitAs(work, 'checkout', '--quiet', '-b', branch);
    write(work, { [name]: 'text\n' });
    gitAs(work, 'add', '.');
    gitAs(work, 'commit', '--quiet', '-m', `Add ${name}`);
  }
  gitAs(folder.path, 'clone', '--quiet', '--bare', work, folder.file('shop.git'));
  return { repo: `file:${folder.file('shop.git')}`, commit: gitAs(work, 'rev-parse', BRANCH) };
}

/** A pull request that got this verdict of an agent and was then merged by the hall. */
async function mergedAfter(fixture: HallFixture, verdict: string) {
  using folder = tempFolder();
  const { repo, commit } = repository(folder);
  const shop = await fixture.project({ repo, ...FORCE });
  const { worker, claim } = await shop.held();
  await worker.mustCall('report', claim, { outcome: 'pr_created', branch: BRANCH, commit });
  const { thread } = claim.task;
  const reviewer = await shop.worker({ instance: 'reviewer-default' });
  await reviewer.complete(await reviewer.claimed(), { verdict, commit, summary: 'Looked at it.' });
  const shown = await until('it is merged', async () => {
    const { thread: now } = await fixture.get(`/v1/threads/${thread}`);
    return now.pr.state === 'merged' && now;
  });
  const { events } = await fixture.get(`/v1/events?project=${shop.name}&type=PullRequestMerged`);
  const stats = await fixture.get('/v1/stats');
  const own = stats.projects.find(({ name }: Json) => name === shop.name);
  const { folder: cwd } = fixture.hall;
  const printed = await guildhall(['thread', 'show', thread], { cwd });
  return { shown, events, own, totals: stats.totals, printed: printed.stdout };
}

for (const on of API_STORES) {
  describe(`a forced merge, on ${on.store}`, () => {
    const shared = on.sharedHall();

    shared.test(
      'CH-080b: a merge without approval after the last round carries a flag in its event, its thread and the stats',
      async (fixture) => {
        const { shown, events, own, totals, printed } = await mergedAfter(
          fixture,
          'changes_requested',
        );
        assert.equal(shown.merge_forced, true);
        assert.deepEqual(
          events.map(({ facts }: Json) => facts),
          [{ thread: shown.id, forced: true }],
        );
        assert.deepEqual([own.forced_merges, totals.forced_merges >= 1], [1, true]);
        assert.match(printed, /\(merged without approval, by merge_policy force-at-max-rounds\)/);
      },
    );

    shared.test(
      'CH-080b: a merge of approved work under the same policy is not flagged',
      async (fixture) => {
        const { shown, events, own, printed } = await mergedAfter(fixture, 'approved');
        assert.equal(shown.merge_forced, false);
        assert.equal(events[0].facts.forced, false);
        assert.equal(own.forced_merges, 0);
        assert.match(printed, /\(merged\)/);
      },
    );
  });
}
