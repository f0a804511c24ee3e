import { convertAppManifest } from '../adapters/github/app-manifest.ts';
import { APP_PERMISSIONS, MEMBERS_PERMISSION } from '../adapters/github/app-tokens.ts';
import { HOOK_EVENTS } from '../adapters/github/setup.ts';

interface Wanted {
  readonly name: string;
  /** Null makes an App without a webhook. */
  readonly hookUrl: string | null;
  /** Whether personas name teams, whose members the hall then has to see. */
  readonly hasTeams: boolean;
}

/** What GitHub is asked for: the least that the hall needs. */
export function appManifest({ name, hookUrl, hasTeams }: Wanted) {
  return {
    name,
    url: 'https://github.com/apps',
    public: false,
    // GitHub wants an address even for a webhook that is off, and refuses one on this machine.
    hook_attributes: { url: hookUrl ?? 'https://example.com/unused', active: hookUrl !== null },
    default_permissions: { ...APP_PERMISSIONS, ...(hasTeams && MEMBERS_PERMISSION) },
    default_events: hookUrl === null ? [] : HOOK_EVENTS,
  };
}

export const convertManifest = convertAppManifest;
