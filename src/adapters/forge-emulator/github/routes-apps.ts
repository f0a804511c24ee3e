import { z } from 'zod';
import {
  type Answer,
  type Call,
  created,
  isoTime,
  NOTHING,
  ok,
  type Route,
} from '../http/answer.ts';
import { bodyOf } from '../http/call-parts.ts';
import { createApp, createInstallationToken, installationNumbered } from '../state/apps.ts';
import { EmulatorRefused } from '../state/emulator-refused.ts';
import type { App, Installation, Repository } from '../state/model.ts';
import { isCovered } from '../state/rights.ts';
import { accountCalled } from '../state/world.ts';
import { listed, page } from './lists.ts';
import {
  showApp,
  showAppHook,
  showDelivery,
  showInstallation,
  showWholeDelivery,
} from './show-apps.ts';
import { showRepository } from './show-repositories.ts';

const DELIVERIES = '/app/hook/deliveries';

export const APP_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/app', answer: (call) => ok(showApp(appIn(call), call.urls)) },
  {
    method: 'GET',
    path: '/app/installations',
    answer: (call) =>
      listed(call, appIn(call).installations, (each) => showInstallation(each, call.urls)),
  },
  {
    method: 'POST',
    path: '/app/installations/{installation_id}/access_tokens',
    answer: (call) => postToken(call),
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/installation',
    answer(call) {
      const app = appIn(call);
      const { world, params, urls } = call;
      const name = `${params['owner']}/${params['repo']}`.toLowerCase();
      const found = app.installations.find((installation) =>
        repositoriesOf(call, installation).some(
          (each) => `${each.owner.login}/${each.name}`.toLowerCase() === name,
        ),
      );
      if (!found || world.repositories.length === 0) throw new EmulatorRefused('not_found', name);
      return ok(showInstallation(found, urls));
    },
  },
  {
    method: 'DELETE',
    path: '/installation/token',
    answer(call) {
      if (call.caller.is !== 'installation') throw new EmulatorRefused('bad_credentials');
      for (const [value, { caller }] of call.world.tokens) {
        if (caller === call.caller) call.world.tokens.delete(value);
      }
      return NOTHING;
    },
  },
  {
    method: 'GET',
    path: '/installation/repositories',
    answer(call) {
      const { caller, urls, world } = call;
      if (caller.is !== 'installation') throw new EmulatorRefused('app_lacks_permission');
      const all = world.repositories.filter((repository) => isCovered(caller, repository));
      const { items, headers } = page(call, all);
      const repositories = items.map((repository) => showRepository(repository, urls));
      return { status: 200, headers, body: { total_count: all.length, repositories } };
    },
  },
  { method: 'GET', path: '/app/hook/config', answer: (call) => ok(showAppHook(appIn(call))) },
  ...deliveryRoutes(),
  ...manifestRoutes(),
  { method: 'GET', path: '/rate_limit', answer: (call) => ok(rateLimit(call)) },
];

function appIn({ caller }: Call): App {
  if (caller.is === 'app') return caller.app;
  throw new EmulatorRefused('bad_credentials');
}

function repositoriesOf({ world }: Call, installation: Installation): Repository[] {
  return world.repositories.filter((each) => isCovered({ installation, repositories: null }, each));
}

const TokenWish = z.object({
  repositories: z.array(z.string()).optional(),
  repository_ids: z.array(z.int()).optional(),
  permissions: z.record(z.string(), z.string()).optional(),
});

function postToken(call: Call): Answer {
  const { world, urls, params } = call;
  const installation = installationNumbered(appIn(call), Number(params['installation_id']));
  const wish = bodyOf(call, TokenWish);
  const mine = repositoriesOf(call, installation);
  const named = [
    ...(wish.repositories ?? []).map((name) => mine.find((each) => each.name === name)),
    ...(wish.repository_ids ?? []).map((id) => mine.find((each) => each.id === id)),
  ];
  const known = named.filter((each) => each !== undefined);
  if (known.length < named.length) throw new EmulatorRefused('invalid', 'repositories');
  const repositories = named.length === 0 ? null : known;
  const { token, expiresAt, permissions } = createInstallationToken(world, installation, {
    repositories,
    permissions: wish.permissions ?? {},
  });
  const selection = repositories ?? (installation.repositories ? mine : null);
  return created({
    token,
    expires_at: isoTime(expiresAt),
    permissions: { metadata: 'read', ...permissions },
    repository_selection: selection === null ? 'all' : 'selected',
    ...(selection === null
      ? {}
      : { repositories: selection.map((each) => showRepository(each, urls)) }),
  });
}

function deliveryRoutes(): Route[] {
  const mine = (call: Call) => {
    const { id } = appIn(call);
    return call.deliveries.log.filter(({ appId }) => appId === id);
  };
  const one = (call: Call) => {
    const found = mine(call).find(({ id }) => String(id) === call.params['delivery_id']);
    if (!found) throw new EmulatorRefused('not_found', 'delivery');
    return found;
  };
  return [
    {
      method: 'GET',
      path: DELIVERIES,
      answer(call) {
        const size = Math.min(Number(call.query.get('per_page') ?? 30), 100);
        const before = Number(call.query.get('cursor') ?? Number.POSITIVE_INFINITY);
        const older = mine(call).filter(({ id }) => id < before);
        const shown = older.toReversed().slice(0, size);
        const last = shown.at(-1);
        const hasMore = older.length > shown.length && last !== undefined;
        const next = `<${call.url}?per_page=${size}&cursor=${last?.id}>; rel="next"`;
        const headers = hasMore ? { Link: next } : {};
        return { status: 200, headers, body: shown.map(showDelivery) };
      },
    },
    {
      method: 'GET',
      path: `${DELIVERIES}/{delivery_id}`,
      answer: (call) => ok(showWholeDelivery(one(call))),
    },
    {
      method: 'POST',
      path: `${DELIVERIES}/{delivery_id}/attempts`,
      answer(call) {
        call.deliveries.repeat(one(call));
        return { status: 202, body: {} };
      },
    },
  ];
}

const Manifest = z.object({
  name: z.string(),
  url: z.string(),
  redirect_url: z.string(),
  hook_attributes: z.object({ url: z.string(), active: z.boolean().optional() }).optional(),
  default_permissions: z.record(z.string(), z.string()).optional(),
  default_events: z.array(z.string()).optional(),
});

/** The page on which a person confirms a new App, already confirmed, and the exchange of its code. */
function manifestRoutes(): Route[] {
  const confirm = (path: string): Route => ({
    method: 'POST',
    path,
    answer(call) {
      const { manifest } = bodyOf(call, z.object({ manifest: z.string() }));
      const parsed = Manifest.parse(JSON.parse(manifest));
      const code = `code-${call.world.nextId('manifest')}`;
      call.world.manifests.set(code, { ...parsed, owner: call.params['org'] ?? null });
      const target = new URL(parsed.redirect_url);
      target.searchParams.set('code', code);
      const state = call.query.get('state');
      if (state !== null) target.searchParams.set('state', state);
      return { status: 302, headers: { Location: target.href } };
    },
  });
  return [
    confirm('/settings/apps/new'),
    confirm('/organizations/{org}/settings/apps/new'),
    {
      method: 'POST',
      path: '/app-manifests/{code}/conversions',
      answer: (call) => convertManifest(call),
    },
  ];
}

function convertManifest({ world, params, urls }: Call): Answer {
  const code = params['code'] ?? '';
  const kept = world.manifests.get(code);
  if (kept === undefined) throw new EmulatorRefused('not_found', 'code');
  world.manifests.delete(code);
  const plan = Manifest.extend({ owner: z.string().nullable() }).parse(kept);
  const [first] = world.accounts.values();
  const owner = plan.owner === null ? first : accountCalled(world, plan.owner);
  if (!owner) throw new EmulatorRefused('not_found', 'owner');
  const secret = `secret-of-${code}`;
  const url = plan.hook_attributes?.active === false ? undefined : plan.hook_attributes?.url;
  const { app, privateKey } = createApp(world, {
    ...{ owner, name: plan.name, events: plan.default_events ?? [] },
    permissions: plan.default_permissions ?? {},
    hook: url === undefined ? null : { url, secret },
  });
  const webhook_secret = url === undefined ? null : secret;
  const secrets = { client_secret: `client-secret-of-${code}`, webhook_secret };
  return created({ ...showApp(app, urls), ...secrets, pem: privateKey });
}

function rateLimit({ rate }: Call) {
  const { limit, remaining, resetAt: reset } = rate;
  const core = { limit, remaining, reset, used: limit - remaining };
  return { resources: { core, search: { ...core, limit: 30 } }, rate: core };
}
