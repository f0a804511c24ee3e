import { type Call, NOTHING, ok, type Route } from '../http/answer.ts';
import { isMember } from '../state/accounts.ts';
import { EmulatorRefused } from '../state/emulator-refused.ts';
import { accountCalled } from '../state/world.ts';
import {
  showMembership,
  showOwnProfile,
  showProfile,
  showTeamMembership,
} from './show-accounts.ts';

export const MEMBER_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/user',
    answer({ caller, urls }) {
      if (caller.is === 'installation') throw new EmulatorRefused('app_lacks_permission');
      if (caller.is !== 'person') throw new EmulatorRefused('bad_credentials');
      return ok(showOwnProfile(caller.account, urls));
    },
  },
  {
    method: 'GET',
    path: '/users/{username}',
    answer: ({ world, params, urls }) =>
      ok(showProfile(accountCalled(world, params['username'] ?? ''), urls)),
  },
  {
    method: 'GET',
    path: '/orgs/{org}/members/{username}',
    answer(call) {
      const { org, account } = memberIn(call);
      if (!isMember(call.world, org, account))
        throw new EmulatorRefused('not_found', account.login);
      return NOTHING;
    },
  },
  {
    method: 'GET',
    path: '/orgs/{org}/memberships/{username}',
    answer(call) {
      const { org, account } = memberIn(call);
      if (!isMember(call.world, org, account))
        throw new EmulatorRefused('not_found', account.login);
      return ok(showMembership(org, account, call.urls));
    },
  },
  {
    method: 'GET',
    path: '/orgs/{org}/teams/{team_slug}/memberships/{username}',
    answer(call) {
      const { org, account } = memberIn(call);
      const slug = call.params['team_slug'];
      const team = call.world.teams.find((each) => each.org === org && each.slug === slug);
      if (!team?.members.has(account)) throw new EmulatorRefused('not_found', account.login);
      return ok(showTeamMembership(team, call.urls, account.login));
    },
  },
];

/** Who is a member is shown to the organisation's own people and Apps only. */
function memberIn({ world, caller, params }: Call) {
  const org = accountCalled(world, params['org'] ?? '');
  const account = accountCalled(world, params['username'] ?? '');
  const isOurs =
    caller.is === 'installation'
      ? caller.installation.account === org && caller.permissions['members'] !== undefined
      : caller.is === 'person' && (isMember(world, org, caller.account) || caller.account.isAdmin);
  if (isOurs) return { org, account };
  const isApp = caller.is === 'installation';
  throw new EmulatorRefused(isApp ? 'app_lacks_permission' : 'not_found', 'members');
}
