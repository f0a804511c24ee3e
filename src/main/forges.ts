import { isDeepStrictEqual } from 'node:util';
import { createForgeWebhooks } from '../adapters/forge/webhooks.ts';
import { createGitea } from '../adapters/gitea/gitea.ts';
import { createGitHub } from '../adapters/github/github.ts';
import { durationIn } from '../api/duration.ts';
import type { PollTimes } from '../board/look-at-forges.ts';
import type { Config } from '../config/config.ts';
import { repositoryOn } from '../domain/forge/connected-forges.ts';
import type { SecretKind } from '../domain/secret.ts';
import type { WebhookSource } from '../http/webhooks/receive-webhook.ts';
import { ForgeFailed, type GitAccess } from '../ports/forge.ts';
import type { ConnectableForge } from '../ports/forge-setup.ts';

type ForgeConfig = NonNullable<Config['forges'][string]>;

export interface Forges {
  named(name: string): ConnectableForge | undefined;
  /** The forge of `github:acme/shop`, and the repository there. Throws `ForgeFailed` if there is none. */
  placeOf(repo: string): { readonly forge: ConnectableForge; readonly path: string };
  gitAccessOf(repo: string, right: 'read' | 'write'): Promise<GitAccess>;
  webhookSource(name: string): WebhookSource | undefined;
  pollEvery(name: string): PollTimes;
}

interface Needs {
  /** The configuration as it was last read. */
  readonly current: () => Pick<Config, 'forges'>;
  /** The values of a secret as of now, the newest first. */
  readonly valuesOf: (reference: string, kind: SecretKind) => readonly string[];
  readonly now: () => number;
}

/** The forges of the configuration, each with its one client. */
export function createForges({ current, valuesOf, now }: Needs): Forges {
  const made = new Map<string, { readonly entry: ForgeConfig; readonly forge: ConnectableForge }>();

  /** An entry that changed gets another client, so that a reread file needs no restart. */
  function named(name: string): ConnectableForge | undefined {
    const entry = current().forges[name];
    if (!entry) return undefined;
    const before = made.get(name);
    if (before && isDeepStrictEqual(before.entry, entry)) return before.forge;
    const forge = createForge(name, entry, { valuesOf, now });
    made.set(name, { entry, forge });
    return forge;
  }

  function placeOf(repo: string) {
    const place = repositoryOn(repo);
    const forge = place && named(place.forge);
    if (!forge)
      throw new ForgeFailed(`the hall is not connected to the forge of ${repo}`, {
        retry: 'never',
      });
    return { forge, path: place.path };
  }

  return {
    named,
    placeOf,
    gitAccessOf: (repo, right) => {
      const { forge, path } = placeOf(repo);
      return forge.gitAccess(path, right);
    },
    webhookSource(name) {
      const forge = current().forges[name];
      if (!forge) return undefined;
      const secrets = () => valuesOf(forge.webhook_secret ?? '', 'webhook_secret');
      return { webhooks: createForgeWebhooks(forge.kind), secrets };
    },
    pollEvery: (name) => pollTimes(current().forges[name]),
  };
}

function createForge(
  name: string,
  forge: ForgeConfig,
  { valuesOf, now }: Omit<Needs, 'current'>,
): ConnectableForge {
  const required = (reference: string, kind: SecretKind) =>
    valuesOf(reference, kind)[0] ?? refuseWithout(name);
  if (forge.kind !== 'github') {
    const { kind, url, token } = forge;
    return createGitea({ name, kind, url, token: () => required(token, 'forge_token'), now });
  }
  const { url, api_url: apiUrl, app, token } = forge;
  // Read when a call needs them: a secret can be set, replaced or unreadable while the hall runs.
  const asApp = app && {
    id: app.id,
    get key() {
      return required(app.key, 'app_key');
    },
  };
  const asAccount = {
    get token() {
      return required(token ?? '', 'forge_token');
    },
  };
  const credential = () => (asApp ? { app: asApp } : asAccount);
  return createGitHub({ name, url, apiUrl, credential, now });
}

function refuseWithout(name: string): never {
  throw new ForgeFailed(`the hall has no credential for ${name} that it can read; see its health`, {
    retry: 'later',
  });
}

function pollTimes(forge: ForgeConfig | undefined): PollTimes {
  return {
    active: durationIn(forge?.poll.active ?? '') ?? ACTIVE,
    idle: durationIn(forge?.poll.idle ?? '') ?? IDLE,
    covered: durationIn(forge?.poll.covered ?? '') ?? COVERED,
  };
}

const ACTIVE = 30_000;
const IDLE = 120_000;
const COVERED = 600_000;
