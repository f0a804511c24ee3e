import { randomBytes } from 'node:crypto';
import type { Config } from '../../config/config.ts';
import type { Cli } from '../command.ts';
import { InvalidUsage } from '../invalid-usage.ts';
import type { ParsedInput } from '../parsed-input.ts';
import type { AddedForge, ForgeWish } from './added-forge.ts';
import { connect, reload, store } from './hall-calls.ts';
import { openManifestPage } from './manifest-page.ts';
import { openPage } from './open-page.ts';
import { pastedCode } from './pasted-code.ts';
import { configWithFile, planEdit } from './save-config.ts';

/** Connects GitHub with an App of its own, which a person confirms on a page of GitHub. */
export async function addApp(cli: Cli, input: ParsedInput, wish: ForgeWish): Promise<AddedForge> {
  const { config, file } = await configWithFile(cli);
  requireFree(config, wish);
  const before = appIn(config, wish);
  if (before !== null) return alreadyThere(cli, wish, file);
  await cli.client().call('listSecrets');
  const manifest = await manifestFor(cli, input, { config, wish });
  const plan = (id: number, hasHook: boolean) =>
    planEdit(cli, file, { name: wish.name, entry: entryOf(wish, { id, hasHook }) });
  const hasHook = manifest.hook_attributes.active;
  // What would be written is checked before anything exists on GitHub.
  const preview = await plan(1, hasHook);
  if (wish.isDry) return { ...NOTHING_DONE, file, edit: preview.lines };
  const app = await createApp(cli, input, { wish, manifest });
  const edit = await plan(app.id, app.webhookSecret !== null);
  const { name } = wish;
  const secrets = [await store(cli, { name: `${name}-app-key`, kind: 'app_key', value: app.key })];
  if (app.webhookSecret !== null) {
    const value = app.webhookSecret;
    secrets.push(await store(cli, { name: `${name}-webhook`, kind: 'webhook_secret', value }));
  }
  await edit.save();
  await reload(cli);
  const { repositories } = await connect(cli, wish);
  return {
    ...{ account: `${app.slug}[bot]`, file, edit: edit.lines, saved: true, secrets },
    repositories: repositories.map((each) => ({ ...each, failure: notInstalled(each.failure) })),
    next: [
      `install the App on your repositories at ${app.url}/installations/new`,
      'then see whether everything works with: guildhall doctor',
    ],
  };
}

const NOTHING_DONE = { account: null, saved: false, secrets: [], repositories: [], next: [] };

/** A new App is installed nowhere yet, which is no failure. */
function notInstalled(failure: string | null): string | null {
  return failure?.includes('is not installed on') ? null : failure;
}

function requireFree({ shown }: Config, { name, kind, url }: ForgeWish): void {
  const before = shown.forges[name];
  if (!before || (before.kind === kind && before.url === url)) return;
  throw new InvalidUsage(
    `forges.${name} is ${before.kind} at ${before.url} already: choose another name with --name`,
  );
}

function appIn({ shown }: Config, { name }: ForgeWish): number | null {
  const before = shown.forges[name];
  return before && 'app' in before ? (before.app?.id ?? null) : null;
}

async function alreadyThere(cli: Cli, wish: ForgeWish, file: string): Promise<AddedForge> {
  if (wish.isDry) return { ...NOTHING_DONE, file, edit: '' };
  await reload(cli);
  const { repositories } = await connect(cli, wish);
  return { ...NOTHING_DONE, file, edit: '', repositories };
}

function entryOf(
  { name, url }: ForgeWish,
  app: { readonly id: number; readonly hasHook: boolean },
) {
  return {
    ...(name === 'github' ? {} : { kind: 'github' }),
    ...(url === 'https://github.com' ? {} : { url }),
    token: undefined,
    app: { id: app.id, key: `secret:${name}-app-key` },
    webhook_secret: app.hasHook ? `secret:${name}-webhook` : undefined,
  };
}

interface Around {
  readonly config: Config;
  readonly wish: ForgeWish;
}

async function manifestFor(cli: Cli, input: ParsedInput, { config, wish }: Around) {
  const { appManifest } = await loadManifests();
  const { webhookUrl } = await import('../../main/webhook-url.ts');
  const { url: localUrl } = await cli.reach();
  const hook = webhookUrl({ publicUrl: config.hall.publicUrl, localUrl, forge: wish });
  return appManifest({
    name: input.text('appName') ?? `guildhall-${randomBytes(2).toString('hex')}`,
    hookUrl: wish.polls ? null : hook,
    hasTeams: (config.declaration.personas ?? []).some(({ settings }) => settings.teams.length > 0),
  });
}

interface Creating {
  readonly wish: ForgeWish;
  readonly manifest: Awaited<ReturnType<typeof manifestFor>>;
}

/** In a function of its own: beside `await using` the compiler leaves `.ts` in the name of an import. */
function loadManifests() {
  return import('../../main/app-manifest.ts');
}

async function createApp(cli: Cli, input: ParsedInput, { wish, manifest }: Creating) {
  const { convertManifest } = await loadManifests();
  const org = input.text('org');
  const place = org === undefined ? '' : `/organizations/${encodeURIComponent(org)}`;
  const action = `${wish.url}${place}/settings/apps/new`;
  await using page = await openManifestPage({ action, manifest });
  cli.out.say(`open ${page.url} and confirm the App on GitHub`);
  cli.out.say(
    'on another machine: forward the port there (ssh -L), or paste the address to which GitHub sends you, or its code, here',
  );
  if (input.choice('browser') !== false && cli.out.isTerminal) openPage(page.url);
  const code = await Promise.race([page.code, pastedCode(cli, page.state)]);
  return convertManifest(wish.url, code);
}
