import { z } from 'zod';
import { type Call, created, NOTHING, ok, type Route } from '../http/answer.ts';
import { bodyOf, repositoryIn } from '../http/call-parts.ts';
import { EmulatorRefused } from '../state/emulator-refused.ts';
import { createHook, editHook, hookNumbered, removeHook } from '../state/hooks.ts';
import { createLabel, editLabel, labelsNamed } from '../state/labels.ts';
import type { Label, Repository, Role } from '../state/model.ts';
import { NEEDS, roleOf } from '../state/rights.ts';
import { accountCalled } from '../state/world.ts';
import { listed } from './lists.ts';
import { showUser } from './show-accounts.ts';
import { showLabel } from './show-issues.ts';
import { showFullRepository, showHook, showPermissions } from './show-repositories.ts';

const REPOSITORY = '/repos/{owner}/{repo}';

export const REPOSITORY_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: REPOSITORY,
    answer(call) {
      const repository = repositoryIn(call, NEEDS.read);
      return ok(showFullRepository(repository, call.urls, shownRole(call, repository)));
    },
  },
  {
    method: 'GET',
    path: `${REPOSITORY}/collaborators/{username}/permission`,
    answer: (call) => permission(call),
  },
  ...labelRoutes(),
  ...hookRoutes(),
];

/** An App's token shows no permissions, whatever it may do. */
function shownRole({ world, caller }: Call, repository: Repository): Role {
  return caller.is === 'person' ? roleOf(world, repository, caller.account) : 'none';
}

/** `maintain` shows as write and `triage` as read; the role has its name beside them. */
function permission(call: Call) {
  const { world, urls, params } = call;
  const repository = repositoryIn(call, NEEDS.read);
  const account = accountCalled(world, params['username'] ?? '');
  const role = roleOf(world, repository, account);
  const permissions: Partial<Record<Role, string>> = { maintain: 'write', triage: 'read' };
  const user = { ...showUser(account, urls), permissions: showPermissions(role), role_name: role };
  return ok({ permission: permissions[role] ?? role, user, role_name: role });
}

function labelRoutes(): Route[] {
  const path = `${REPOSITORY}/labels`;
  const show = (call: Call, label: Label, repository: Repository) =>
    showLabel(label, repository, call.urls);
  const labelIn = (call: Call, repository: Repository) => {
    const [label] = labelsNamed(repository, call.params['name'] ?? '');
    if (!label) throw new EmulatorRefused('not_found', 'label');
    return label;
  };
  const Text = z.object({
    name: z.string().optional(),
    new_name: z.string().optional(),
    color: z.string().optional(),
    description: z.string().optional(),
  });
  return [
    {
      method: 'GET',
      path,
      answer(call) {
        const repository = repositoryIn(call, NEEDS.readIssues);
        return listed(call, repository.labels, (label) => show(call, label, repository));
      },
    },
    {
      method: 'POST',
      path,
      answer(call) {
        const { world, caller } = call;
        const repository = repositoryIn(call, NEEDS.readIssues);
        const { name, color, description } = bodyOf(call, Text);
        if (name === undefined) throw new EmulatorRefused('invalid', 'name');
        const label = createLabel(world, { caller, repository }, { name, color, description });
        return created(show(call, label, repository));
      },
    },
    {
      method: 'GET',
      path: `${path}/{name}`,
      answer(call) {
        const repository = repositoryIn(call, NEEDS.readIssues);
        return ok(show(call, labelIn(call, repository), repository));
      },
    },
    {
      method: 'PATCH',
      path: `${path}/{name}`,
      answer(call) {
        const { world, caller } = call;
        const repository = repositoryIn(call, NEEDS.readIssues);
        const label = labelIn(call, repository);
        const { new_name: name, color, description } = bodyOf(call, Text);
        const text = { ...(name === undefined ? {} : { name }), color, description };
        editLabel(world, { caller, repository }, { label, text });
        return ok(show(call, label, repository));
      },
    },
  ];
}

const HookBody = z.object({
  config: z.object({ url: z.string().optional(), secret: z.string().optional() }).optional(),
  events: z.array(z.string()).optional(),
  active: z.boolean().optional(),
});

function hookRoutes(): Route[] {
  const path = `${REPOSITORY}/hooks`;
  return [
    {
      method: 'GET',
      path,
      answer(call) {
        const repository = repositoryIn(call, NEEDS.readHooks);
        return listed(call, repository.hooks, (hook) => showHook(repository, hook, call.urls));
      },
    },
    {
      method: 'POST',
      path,
      answer(call) {
        const { world, caller, urls } = call;
        const repository = repositoryIn(call, NEEDS.editHooks);
        const { config, events = ['push'], active = true } = bodyOf(call, HookBody);
        if (!config?.url) throw new EmulatorRefused('invalid', 'url');
        const { url, secret = '' } = config;
        const facts = { url, secret, events, isActive: active };
        const hook = createHook(world, { caller, repository }, facts);
        return created(showHook(repository, hook, urls));
      },
    },
    {
      method: 'PATCH',
      path: `${path}/{hook_id}`,
      answer(call) {
        const { world, caller, urls } = call;
        const repository = repositoryIn(call, NEEDS.editHooks);
        const hook = hookNumbered(repository, Number(call.params['hook_id']));
        const { config = {}, events, active } = bodyOf(call, HookBody);
        const facts = {
          url: config.url ?? hook.url,
          secret: config.secret ?? hook.secret,
          events: events ?? hook.events,
          isActive: active ?? hook.isActive,
        };
        editHook(world, { caller, repository }, { hook, facts });
        return ok(showHook(repository, hook, urls));
      },
    },
    ...otherHookRoutes(path),
  ];
}

function otherHookRoutes(path: string): Route[] {
  return [
    {
      method: 'DELETE',
      path: `${path}/{hook_id}`,
      answer(call) {
        const repository = repositoryIn(call, NEEDS.editHooks);
        removeHook(repository, Number(call.params['hook_id']));
        return NOTHING;
      },
    },
    {
      method: 'POST',
      path: `${path}/{hook_id}/pings`,
      answer(call) {
        const repository = repositoryIn(call, NEEDS.readHooks);
        const hook = hookNumbered(repository, Number(call.params['hook_id']));
        call.world.emit({ is: 'pinged', repository, sender: repository.owner, hook });
        return NOTHING;
      },
    },
  ];
}
