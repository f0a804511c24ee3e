import { z } from 'zod';
import { created, NOTHING, ok, type Route } from '../http/answer.ts';
import { bodyOf, repositoryIn } from '../http/call-parts.ts';
import { EmulatorRefused } from '../state/emulator-refused.ts';
import { createHook, editHook, hookNumbered, removeHook } from '../state/hooks.ts';
import { NEEDS } from '../state/rights.ts';
import { normalisedEvents } from './hook-events.ts';
import { listed } from './lists.ts';
import { showHook } from './show-repositories.ts';

const HOOKS = '/repos/{owner}/{repo}/hooks';

const HookBody = z.object({
  type: z.string().optional(),
  config: z.record(z.string(), z.string()).optional(),
  events: z.array(z.string()).optional(),
  active: z.boolean().optional(),
  branch_filter: z.string().optional(),
});

export function hookRoutes(isForgejo: boolean): readonly Route[] {
  return [
    {
      method: 'GET',
      path: HOOKS,
      answer: (call) => listed(call, repositoryIn(call, NEEDS.readHooks).hooks, showHook),
    },
    {
      method: 'POST',
      path: HOOKS,
      answer(call) {
        const { world, caller } = call;
        const repository = repositoryIn(call, NEEDS.editHooks);
        const { config = {}, events = ['push'], active = false } = bodyOf(call, HookBody);
        const { url, secret = '' } = config;
        if (url === undefined) throw new EmulatorRefused('invalid', 'url');
        const facts = {
          url,
          secret,
          isActive: active,
          events: normalisedEvents(events, isForgejo),
        };
        return created(showHook(createHook(world, { caller, repository }, facts)));
      },
    },
    {
      method: 'PATCH',
      path: `${HOOKS}/{id}`,
      answer(call) {
        const { world, caller } = call;
        const repository = repositoryIn(call, NEEDS.editHooks);
        const hook = hookNumbered(repository, Number(call.params['id']));
        const { config = {}, events = [], active } = bodyOf(call, HookBody);
        // As in routers/api/v1/utils/hook.go of Gitea: an edit keeps the secret, whatever it says, and sets the
        // events anew; without any it is left with pushes.
        const facts = {
          url: config['url'] ?? hook.url,
          events: normalisedEvents(events.length === 0 ? ['push'] : events, isForgejo),
          isActive: active ?? hook.isActive,
        };
        editHook(world, { caller, repository }, { hook, facts });
        return ok(showHook(hook));
      },
    },
    ...OTHER_ROUTES,
  ];
}

const OTHER_ROUTES: readonly Route[] = [
  {
    method: 'DELETE',
    path: `${HOOKS}/{id}`,
    answer(call) {
      const repository = repositoryIn(call, NEEDS.editHooks);
      removeHook(repository, Number(call.params['id']));
      return NOTHING;
    },
  },
  {
    method: 'POST',
    path: `${HOOKS}/{id}/tests`,
    answer(call) {
      const repository = repositoryIn(call, NEEDS.editHooks);
      const hook = hookNumbered(repository, Number(call.params['id']));
      call.world.emit({ is: 'pinged', repository, sender: repository.owner, hook });
      return NOTHING;
    },
  },
];
