import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BoardFixture, RESULT } from '../../test/support/board-fixture.ts';
import { reportChecks } from './checking/report-checks.ts';
import type { ProjectSettings } from './project.ts';
import { nextPullRequestAction, pendingPullRequestActions } from './pull-request-actions.ts';

describe('a pull-request action', () => {
  test('a commit without check results needs its checks run', () => {
    const { table, thread } = withPullRequest();
    const action = nextPullRequestAction(table.board, thread);
    assert.equal(action?.kind, 'check');
    assert.equal(action?.commit, 'c1');
    assert.deepEqual(pendingPullRequestActions(table.board), [action]);
  });

  test('a pull request with green checks and a merge request is due to be merged', () => {
    const { table, thread } = withPullRequest({ mergePolicy: 'force-at-max-rounds', maxRounds: 0 });
    const checks = { commit: 'c1', is: 'green', failing: [] } as const;
    table.do(reportChecks(table.board, { thread, checks, excerpt: '' }, table.now));
    assert.equal(nextPullRequestAction(table.board, thread), undefined, 'a review is still open');
    const verdict = { ...RESULT, verdict: 'changes_requested', commit: 'c1' } as const;
    table.report(table.claim(table.worker('reviewer-default')), {
      how: 'completed',
      outcome: 'comment_posted',
      result: verdict,
      children: [],
    });
    assert.equal(nextPullRequestAction(table.board, thread)?.kind, 'merge');
  });

  test('repositories on a forge and threads without a pull request need no action', () => {
    assert.deepEqual(
      pendingPullRequestActions(withPullRequest({ repo: 'github:acme/shop' }).table.board),
      [],
    );
    const table = BoardFixture.usual();
    table.post();
    assert.deepEqual(pendingPullRequestActions(table.board), []);
  });
});

function withPullRequest(settings: Partial<ProjectSettings> = {}) {
  const table = BoardFixture.usual().project('shop', {
    repo: 'file:/srv/shop',
    checks: [{ name: 'test', run: 'true' }],
    ...settings,
  });
  const { thread } = table.post();
  const pr = settings.repo ? { number: 1, url: 'https://forge/1' } : null;
  const result = { ...RESULT, branch: 'hall/dev/issue-1', commit: 'c1', pr };
  table.report(table.claim(), { how: 'completed', outcome: 'pr_created', result, children: [] });
  return { table, thread };
}
