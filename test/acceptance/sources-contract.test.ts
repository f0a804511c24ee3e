import { describe, it } from 'node:test';
import { obeysSourceContract } from '../contracts/task-source.contract.ts';
import { apiSource, forgeIssues, specFiles, spiralGrove } from '../support/sources-under-test.ts';
import { runsInTier } from '../support/tier.ts';

describe('every kind of task source posts once, updates, withdraws and survives an outage', () => {
  if (runsInTier('test')) {
    it('GH-027b GH-027a: GitHub issues', () => obeysSourceContract(() => forgeIssues('github')));
    it('GH-027d GH-027a: Spiral Grove breakdowns', () => obeysSourceContract(spiralGrove));
    it('GH-027f GH-027a: the API', () => obeysSourceContract(apiSource));
    it('GH-027e GH-027a: specs/*.md', () => obeysSourceContract(specFiles));
    it('GH-027c GH-027a: Forgejo issues', () => obeysSourceContract(() => forgeIssues('forgejo')));
  }
  if (runsInTier('full')) {
    it('Gitea issues', () => obeysSourceContract(() => forgeIssues('gitea')));
  }
});
