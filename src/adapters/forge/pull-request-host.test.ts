import {
  type HostedRepository,
  pullRequestHostContract,
} from '../../../test/contracts/pull-request-host.contract.ts';
import { EMULATED, emulatedForge, type ForgeServer } from '../../../test/support/forge-server.ts';
import { gitFixture, PATH } from '../../../test/support/git-fixture.ts';
import { runsInTier } from '../../../test/support/tier.ts';
import { createRedactor } from '../../domain/redaction.ts';
import { createGitWorkspaces } from '../git/workspaces.ts';
import { createLocalForge } from '../local-forge/local-forge.ts';
import { createUnisolatedCells } from '../processes/unisolated-cells.ts';
import { createForgePullRequests } from './pull-request-host.ts';

pullRequestHostContract('a folder', async () => {
  const fixture = gitFixture();
  fixture.commitUpstream({ 'a.txt': 'one\ntwo\n' });
  const unused = () => Promise.reject(new Error('no checks are run here'));
  return {
    host: createLocalForge({
      workspaces: createGitWorkspaces(fixture.settings),
      cellsFor: async () => createUnisolatedCells({ path: PATH }),
      folders: { make: unused, remove: unused },
      redact: createRedactor(() => []),
      prepareVariables: async (env) => ({ env, readable: [] }),
    }),
    repo: `file:${fixture.upstream}`,
    push: async (branch, files) => fixture.commitUpstream(files, branch),
    openPull: async () => 1,
    [Symbol.asyncDispose]: async () => fixture[Symbol.dispose](),
  };
});

for (const kind of runsInTier('full') ? EMULATED : []) {
  pullRequestHostContract(`an emulated ${kind}`, async () => hosted(await emulatedForge(kind)));
}

async function hosted(server: ForgeServer): Promise<HostedRepository> {
  const path = await server.newRepository();
  const fixture = gitFixture();
  const placeOf = () => ({ forge: server.forge, path });
  return {
    host: createForgePullRequests({ workspaces: createGitWorkspaces(fixture.settings), placeOf }),
    repo: `${server.kind}:${path}`,
    push: (branch, files) => server.person('ada').push(path, branch, files),
    async openPull(branch) {
      const plan = { repo: path, branch, base: null, title: 'Add b', body: '' };
      return (await server.forge.ensurePullRequest(plan)).number;
    },
    async [Symbol.asyncDispose]() {
      fixture[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}
