import { z } from 'zod';
import { readCommit, resolveCommit } from '../git/read-commits.ts';
import { type Call, created, NOTHING, ok, type Route } from '../http/answer.ts';
import { bodyOf, repositoryIn } from '../http/call-parts.ts';
import { EmulatorRefused } from '../state/emulator-refused.ts';
import { createLabel, editLabel } from '../state/labels.ts';
import type { Label, Repository, Role } from '../state/model.ts';
import { protectBranch } from '../state/protections.ts';
import { deleteBranch } from '../state/pushes.ts';
import { includes, NEEDS, roleOf } from '../state/rights.ts';
import { accountCalled } from '../state/world.ts';
import { listed } from './lists.ts';
import { showUser } from './show-accounts.ts';
import { compareLabels, showLabel } from './show-issues.ts';
import { showBranch, showProtection, showRepository } from './show-repositories.ts';

const REPOSITORY = '/repos/{owner}/{repo}';

export const REPOSITORY_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: REPOSITORY,
    answer(call) {
      const { world, caller, urls } = call;
      const repository = repositoryIn(call, NEEDS.read);
      const role = caller.is === 'person' ? roleOf(world, repository, caller.account) : 'read';
      return ok(showRepository(repository, urls, role));
    },
  },
  {
    method: 'GET',
    path: `${REPOSITORY}/collaborators/{username}/permission`,
    answer: (call) => permission(call),
  },
  ...labelRoutes(),
  ...branchRoutes(),
  ...protectionRoutes(),
];

/** Only the repository's admins may ask about others; a stranger on a public repository has `read`. */
function permission(call: Call) {
  const { world, caller, urls, params } = call;
  const repository = repositoryIn(call, NEEDS.read);
  const account = accountCalled(world, params['username'] ?? '');
  const isAdmin =
    caller.is === 'person' && includes(roleOf(world, repository, caller.account), 'admin');
  const isSelf = caller.is === 'person' && caller.account === account;
  if (!isAdmin && !isSelf) throw new EmulatorRefused('forbidden', 'admin');
  const names: Partial<Record<Role, string>> = { triage: 'read', maintain: 'write' };
  const role = roleOf(world, repository, account);
  const shown = account === repository.owner ? 'owner' : (names[role] ?? role);
  return ok({ permission: shown, role_name: shown, user: showUser(account, urls) });
}

const Text = z.object({
  name: z.string().optional(),
  color: z.string().optional(),
  description: z.string().optional(),
});

function labelRoutes(): Route[] {
  const path = `${REPOSITORY}/labels`;
  const show = (call: Call, label: Label, repository: Repository) =>
    showLabel(label, repository, call.urls);
  const labelIn = (call: Call, { labels }: Repository) => {
    const label = labels.find(({ id }) => String(id) === call.params['id']);
    if (!label) throw new EmulatorRefused('not_found', 'label');
    return label;
  };
  return [
    {
      method: 'GET',
      path,
      answer(call) {
        const repository = repositoryIn(call, NEEDS.readIssues);
        const byName = repository.labels.toSorted((a, b) => compareLabels(a, b));
        return listed(call, byName, (label) => show(call, label, repository));
      },
    },
    {
      method: 'POST',
      path,
      answer(call) {
        const { world, caller } = call;
        const repository = repositoryIn(call, NEEDS.readIssues);
        const { name, color, description } = bodyOf(call, Text);
        if (name === undefined || color === undefined)
          throw new EmulatorRefused('invalid', 'Color');
        const label = createLabel(world, { caller, repository }, { name, color, description });
        return created(show(call, label, repository));
      },
    },
    {
      method: 'PATCH',
      path: `${path}/{id}`,
      answer(call) {
        const { world, caller } = call;
        const repository = repositoryIn(call, NEEDS.readIssues);
        const label = labelIn(call, repository);
        const { name, ...rest } = bodyOf(call, Text);
        const text = { ...(name === undefined ? {} : { name }), ...rest };
        editLabel(world, { caller, repository }, { label, text });
        return ok(show(call, label, repository));
      },
    },
  ];
}

function branchRoutes(): Route[] {
  const path = `${REPOSITORY}/branches`;
  const show = async ({ world, urls }: Call, repository: Repository, name: string) => {
    const sha = repository.branches.get(name);
    if (sha === undefined) throw new EmulatorRefused('not_found', name);
    const commit = await readCommit(world.git, repository.dir, sha);
    return showBranch(repository, { name, commit }, urls);
  };
  return [
    {
      method: 'GET',
      path,
      async answer(call) {
        const repository = repositoryIn(call, NEEDS.readContents);
        const names = [...repository.branches.keys()];
        const shown = await Promise.all(names.map((name) => show(call, repository, name)));
        return listed(call, shown, (branch) => branch);
      },
    },
    {
      method: 'GET',
      path: `${path}/{branch}`,
      async answer(call) {
        const repository = repositoryIn(call, NEEDS.readContents);
        return ok(await show(call, repository, call.params['branch'] ?? ''));
      },
    },
    {
      method: 'GET',
      path: `${REPOSITORY}/git/commits/{sha}`,
      async answer(call) {
        const repository = repositoryIn(call, NEEDS.readContents);
        const { git } = call.world;
        const sha = await resolveCommit(git, repository.dir, call.params['sha'] ?? '');
        if (sha === null) throw new EmulatorRefused('not_found', call.params['sha'] ?? '');
        const { tree, message } = await readCommit(git, repository.dir, sha);
        return ok({ sha, commit: { message: `${message}\n`, tree: { sha: tree } } });
      },
    },
    {
      method: 'DELETE',
      path: `${path}/{branch}`,
      async answer(call) {
        const { world, caller, params } = call;
        const repository = repositoryIn(call, NEEDS.push);
        await deleteBranch(world, { caller, repository }, params['branch'] ?? '');
        return NOTHING;
      },
    },
  ];
}

const NewProtection = z.object({
  branch_name: z.string().optional(),
  rule_name: z.string().optional(),
  enable_status_check: z.boolean().optional(),
  status_check_contexts: z.array(z.string()).optional(),
  required_approvals: z.int().optional(),
  block_on_rejected_reviews: z.boolean().optional(),
  dismiss_stale_approvals: z.boolean().optional(),
});

function protectionRoutes(): Route[] {
  const path = `${REPOSITORY}/branch_protections`;
  return [
    {
      method: 'GET',
      path,
      answer(call) {
        const { protections } = repositoryIn(call, NEEDS.readProtection);
        return ok([...protections].map(([name, protection]) => showProtection(name, protection)));
      },
    },
    {
      method: 'POST',
      path,
      answer(call) {
        const repository = repositoryIn(call, NEEDS.readProtection);
        const wish = bodyOf(call, NewProtection);
        const name = wish.rule_name ?? wish.branch_name;
        if (name === undefined) throw new EmulatorRefused('invalid', 'rule_name');
        const protection = {
          requiredChecks: wish.enable_status_check ? (wish.status_check_contexts ?? []) : [],
          requiredApprovals: wish.required_approvals ?? 0,
          blocksOnRejection: wish.block_on_rejected_reviews ?? false,
          dismissesStale: wish.dismiss_stale_approvals ?? false,
        };
        protectBranch(call.world, { repository, branch: name }, protection);
        return created(showProtection(name, protection));
      },
    },
    {
      method: 'GET',
      path: `${path}/{branch}`,
      answer(call) {
        const { protections } = repositoryIn(call, NEEDS.readProtection);
        const name = call.params['branch'] ?? '';
        const protection = protections.get(name);
        if (!protection) throw new EmulatorRefused('not_found', name);
        return ok(showProtection(name, protection));
      },
    },
  ];
}
