import { readCommit } from '../git/read-commits.ts';
import { type Call, NOTHING, ok, type Route } from '../http/answer.ts';
import { commitIn, repositoryIn } from '../http/call-parts.ts';
import { EmulatorRefused } from '../state/emulator-refused.ts';
import type { Repository } from '../state/model.ts';
import { deleteBranch } from '../state/pushes.ts';
import { NEEDS } from '../state/rights.ts';
import { listed } from './lists.ts';
import { nodeId } from './show-accounts.ts';
import { showCommit } from './show-commits.ts';
import { repositoryUrl, showBranch, showProtection } from './show-repositories.ts';

const REPOSITORY = '/repos/{owner}/{repo}';

export const BRANCH_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: `${REPOSITORY}/branches`,
    answer(call) {
      const repository = repositoryIn(call, NEEDS.readContents);
      return listed(call, [...repository.branches], ([name, sha]) =>
        showBranch(repository, { name, sha }, call.urls),
      );
    },
  },
  {
    method: 'GET',
    path: `${REPOSITORY}/branches/{branch}`,
    async answer(call) {
      const { world, urls } = call;
      const repository = repositoryIn(call, NEEDS.readContents);
      const { name, sha } = branchIn(call, repository);
      const commit = await readCommit(world.git, repository.dir, sha);
      const shown = showCommit(world, { repository, commit }, urls);
      const self = `${repositoryUrl(repository, urls)}/branches/${name}`;
      const branch = showBranch(repository, { name, sha }, urls);
      const html = `${urls.web}/${repository.owner.login}/${repository.name}/tree/${name}`;
      const contexts = [...(repository.protections.get(name)?.requiredChecks ?? [])];
      const checks = contexts.map((context) => ({ context, app_id: null }));
      const protection = {
        enabled: branch.protected,
        required_status_checks: { enforcement_level: 'everyone', contexts, checks },
      };
      return ok({ ...branch, commit: shown, _links: { self, html }, protection });
    },
  },
  {
    method: 'GET',
    path: `${REPOSITORY}/branches/{branch}/protection`,
    answer(call) {
      const repository = repositoryIn(call, NEEDS.readProtection);
      const { name } = branchIn(call, repository);
      const protection = repository.protections.get(name);
      if (!protection) throw new EmulatorRefused('not_found', 'Branch not protected');
      return ok(showProtection(repository, name, { protection, urls: call.urls }));
    },
  },
  {
    method: 'GET',
    path: `${REPOSITORY}/git/ref/{ref}`,
    answer(call) {
      const repository = repositoryIn(call, NEEDS.readContents);
      const { name, sha } = branchIn(call, repository);
      const url = repositoryUrl(repository, call.urls);
      return ok({
        ref: `refs/heads/${name}`,
        node_id: nodeId('Ref', repository.id),
        url: `${url}/git/refs/heads/${name}`,
        object: { sha, type: 'commit', url: `${url}/git/commits/${sha}` },
      });
    },
  },
  {
    method: 'DELETE',
    path: `${REPOSITORY}/git/refs/{ref}`,
    async answer(call) {
      const { world, caller } = call;
      const repository = repositoryIn(call, NEEDS.push);
      const name = (call.params['ref'] ?? '').replace(/^heads\//, '');
      if (!repository.branches.has(name))
        throw new EmulatorRefused('invalid', 'Reference does not exist');
      await deleteBranch(world, { caller, repository }, name);
      return NOTHING;
    },
  },
  {
    method: 'GET',
    path: `${REPOSITORY}/commits/{ref}`,
    async answer(call) {
      const { repository, sha } = await commitIn(call, NEEDS.readContents);
      const commit = await readCommit(call.world.git, repository.dir, sha);
      return ok(showCommit(call.world, { repository, commit }, call.urls));
    },
  },
];

function branchIn({ params }: Call, { branches }: Repository): { name: string; sha: string } {
  const name = params['branch'] ?? (params['ref'] ?? '').replace(/^heads\//, '');
  const sha = branches.get(name);
  if (sha === undefined) throw new EmulatorRefused('not_found', name);
  return { name, sha };
}
