import { describe, it } from 'node:test';
import { obeysSourceContract } from '../contracts/task-source.contract.ts';
import { apiSource, forgeIssues, specFiles, spiralGrove } from '../support/sources-under-test.ts';
import { runsInTier } from '../support/tier.ts';

describe('every kind of task source posts once, updates, withdraws and survives an outage', () => {
  if (runsInTier('test')) {
    it('GH-027b GH-027a: GitHub issues obey the contract of task sources', () =>
      obeysSourceContract(() => forgeIssues('github')));
    it('GH-027d GH-027a: Spiral Grove breakdowns obey the contract of task sources', () =>
      obeysSourceContract(spiralGrove));
    it('GH-027f GH-027a: the API obeys the contract of task sources', () =>
      obeysSourceContract(apiSource));
    it('GH-027e GH-027a: specs/*.md obeys the contract of task sources', () =>
      obeysSourceContract(specFiles));
    it('GH-027c GH-027a: Forgejo issues obey the contract of task sources', () =>
      obeysSourceContract(() => forgeIssues('forgejo')));
  }
  if (runsInTier('full')) {
    it('Gitea issues obey the contract of task sources', () =>
      obeysSourceContract(() => forgeIssues('gitea')));
  }
});
