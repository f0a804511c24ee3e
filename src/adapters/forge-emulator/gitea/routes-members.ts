import { NOTHING, ok, type Route } from '../http/answer.ts';
import { isMember } from '../state/accounts.ts';
import { EmulatorRefused } from '../state/emulator-refused.ts';
import { accountCalled } from '../state/world.ts';
import { listed } from './lists.ts';
import { showTeam, showUser } from './show-accounts.ts';

const GITEA_VERSION = '1.26.4';
const FORGEJO_VERSION = '15.0.0+gitea-1.22.0';

/** Only Forgejo answers under its own name, which is how the two are told apart. */
export function memberRoutes(isForgejo: boolean): readonly Route[] {
  const version = isForgejo ? FORGEJO_VERSION : GITEA_VERSION;
  const own: Route = {
    method: 'GET',
    path: '/api/forgejo/v1/version',
    answer: () => ok({ version }),
  };
  return [
    { method: 'GET', path: '/version', answer: () => ok({ version }) },
    ...(isForgejo ? [own] : []),
    {
      method: 'GET',
      path: '/settings/api',
      answer: () => ok({ max_response_items: 50, default_paging_num: 30 }),
    },
    {
      method: 'GET',
      path: '/user',
      answer({ caller, urls }) {
        if (caller.is !== 'person') throw new EmulatorRefused('bad_credentials');
        return ok(showUser(caller.account, urls));
      },
    },
    {
      method: 'GET',
      path: '/users/{username}',
      answer: ({ world, params, urls }) =>
        ok(showUser(accountCalled(world, params['username'] ?? ''), urls)),
    },
    ...ORGANIZATION_ROUTES,
  ];
}

const ORGANIZATION_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/orgs/{org}/members/{username}',
    answer(call) {
      const { world, params } = call;
      const org = accountCalled(world, params['org'] ?? '');
      const account = accountCalled(world, params['username'] ?? '');
      if (!isMember(world, org, account)) throw new EmulatorRefused('not_found', account.login);
      return NOTHING;
    },
  },
  {
    method: 'GET',
    path: '/orgs/{org}/teams',
    answer(call) {
      const org = accountCalled(call.world, call.params['org'] ?? '');
      const teams = call.world.teams.filter((team) => team.org === org);
      return listed(call, teams, (team) => showTeam(team, call.urls));
    },
  },
  {
    method: 'GET',
    path: '/teams/{id}/members/{username}',
    answer(call) {
      const team = call.world.teams.find(({ id }) => String(id) === call.params['id']);
      const account = accountCalled(call.world, call.params['username'] ?? '');
      if (!team?.members.has(account)) throw new EmulatorRefused('not_found', account.login);
      return ok(showUser(account, call.urls));
    },
  },
];
