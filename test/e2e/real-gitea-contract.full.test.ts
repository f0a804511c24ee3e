import { describe } from 'node:test';
import { forgeContract } from '../contracts/forge.contract.ts';
import { realGitea } from '../support/forge-server.ts';

/** The folder with the programs, given by the run where it has them. */
const built = process.env['GUILDHALL_TEST_GITEA'];

describe(
  'the contract of forges',
  {
    skip: built === undefined && 'there is no Gitea in the cache',
  },
  () => forgeContract('a real Gitea', () => realGitea(built ?? '')),
);
