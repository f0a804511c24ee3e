import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RESULT, Table } from '../../test/support/table.ts';
import { reportChecks } from './checking/reported.ts';
import { errandOf, errandsOf } from './errands.ts';
import type { ProjectSettings } from './project.ts';

describe('an errand', () => {
  test('is to run the checks of a commit that nobody has looked at', () => {
    const { table, thread } = withPullRequest();
    const errand = errandOf(table.board, thread);
    assert.equal(errand?.kind, 'check');
    assert.equal(errand?.commit, 'c1');
    assert.deepEqual(errandsOf(table.board), [errand]);
  });

  test('is to merge what is green and wanted', () => {
    const { table, thread } = withPullRequest({ mergePolicy: 'force-at-max-rounds', maxRounds: 0 });
    const checks = { commit: 'c1', is: 'green', failing: [] } as const;
    table.do(reportChecks(table.board, { thread, checks, excerpt: '' }, table.now));
    assert.equal(errandOf(table.board, thread), undefined, 'a review is still open');
    const verdict = { ...RESULT, verdict: 'changes_requested', commit: 'c1' } as const;
    table.report(table.claim(table.worker('reviewer-default')), {
      how: 'completed',
      outcome: 'comment_posted',
      result: verdict,
      children: [],
    });
    assert.equal(errandOf(table.board, thread)?.kind, 'merge');
  });

  test('is none for repositories of a forge, and for threads without a pull request', () => {
    assert.deepEqual(errandsOf(withPullRequest({ repo: 'github:acme/shop' }).table.board), []);
    const table = Table.usual();
    table.post();
    assert.deepEqual(errandsOf(table.board), []);
  });
});

function withPullRequest(settings: Partial<ProjectSettings> = {}) {
  const table = Table.usual().project('shop', {
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
