import { randomBytes } from 'node:crypto';
import type { Config } from '../../config/config.ts';
import type { Cli } from '../command.ts';
import { InvalidUsage } from '../invalid-usage.ts';
import type { ParsedInput } from '../parsed-input.ts';
import { readSecret } from '../secrets/read-secret.ts';
import type { AddedForge, ForgeWish } from './added-forge.ts';
import type { ForgeEntry } from './edit-config.ts';
import { connect, reload, store } from './hall-calls.ts';
import { configWithFile, planEdit } from './save-config.ts';

/** Connects a forge with the token of an account: tries it, stores it, and prepares the repositories. */
export async function addWithToken(cli: Cli, _: ParsedInput, wish: ForgeWish): Promise<AddedForge> {
  const { config, file } = await configWithFile(cli);
  const { secrets: stored } = await cli.client().call('listSecrets');
  const names = new Set(stored.map(({ name }) => name));
  const entry = entryFor(config, wish);
  await requireKind(wish);
  const tokenName = nameIn(entry['token']);
  const token = await tokenFrom(cli, wish, names.has(tokenName));
  const account = token === null ? null : await tryToken(wish, token);
  const edit = await planEdit(cli, file, { name: wish.name, entry });
  const facts = { account, file, edit: edit.lines };
  if (wish.isDry) return { ...facts, saved: false, secrets: [], repositories: [], next: [] };
  const secrets: string[] = [];
  if (token !== null)
    secrets.push(await store(cli, { name: tokenName, kind: 'forge_token', value: token }));
  secrets.push(...(await storeWebhookSecret(cli, wish, { entry, names })));
  if (edit.lines !== '') await edit.save();
  await reload(cli);
  const { repositories } = await connect(cli, wish);
  const next = repositories.length > 0 ? [] : [`set repo: ${wish.name}:OWNER/NAME in a project`];
  return { ...facts, saved: edit.lines !== '', secrets, repositories, next };
}

const PAGES = {
  github: '/settings/tokens/new?scopes=repo',
  gitea: '/user/settings/applications',
  forgejo: '/user/settings/applications',
} as const;

/** Null keeps the token that is stored. */
async function tokenFrom(
  cli: Cli,
  { kind, url }: ForgeWish,
  isStored: boolean,
): Promise<string | null> {
  const scopes = kind === 'github' ? 'repo' : 'write:repository, write:issue and read:user';
  cli.out.say(`make a token at ${url}${PAGES[kind]} with the scopes ${scopes}`);
  try {
    return await readSecret(cli, 'Token of the hall’s account (not shown): ');
  } catch (error) {
    if (isStored && error instanceof InvalidUsage && /no value/.test(error.message)) return null;
    throw error;
  }
}

async function requireKind({ kind, url }: ForgeWish): Promise<void> {
  if (kind === 'github') return;
  const { kindOfServer } = await import('../../main/try-forge.ts');
  const found = await kindOfServer(url);
  if (found === kind) return;
  throw new InvalidUsage(`${url} is ${found}, not ${kind}: run guildhall forge add ${found}`);
}

async function tryToken({ kind, url }: ForgeWish, token: string): Promise<string> {
  const { accountOfToken } = await import('../../main/try-forge.ts');
  return accountOfToken({ kind, url, token });
}

/** The entry that there is, with what it lacks; a new one refers to stored secrets. */
function entryFor({ shown }: Config, wish: ForgeWish): ForgeEntry {
  const { kind, name, url } = wish;
  const before = shown.forges[name];
  if (before && (before.kind !== kind || before.url !== url)) {
    throw new InvalidUsage(
      `forges.${name} is ${before.kind} at ${before.url} already: choose another name with --name`,
    );
  }
  const token = before?.token ?? `secret:${name}-token`;
  if (!token.startsWith('secret:')) {
    throw new InvalidUsage(
      `forges.${name} reads its token from ${token}: change it there, or remove the entry to have the hall store one`,
    );
  }
  if (before && 'app' in before && before.app) {
    throw new InvalidUsage(`forges.${name} is a GitHub App already: leave out --with-token`);
  }
  const hook = before?.webhook_secret ?? (wish.polls ? null : `secret:${name}-webhook`);
  const isUsual = kind === 'github' && url === 'https://github.com';
  return {
    ...(kind === 'github' && name === 'github' ? {} : { kind }),
    ...(isUsual ? {} : { url }),
    token,
    ...(hook === null ? {} : { webhook_secret: hook }),
  };
}

function nameIn(reference: unknown): string {
  return String(reference).replace(/^secret:/, '');
}

interface WebhookSecret {
  readonly entry: ForgeEntry;
  readonly names: ReadonlySet<string>;
}

/** Made once; another one is made only on demand, and then both are valid. */
async function storeWebhookSecret(
  cli: Cli,
  { rotates }: Pick<ForgeWish, 'rotates'>,
  { entry, names }: WebhookSecret,
): Promise<readonly string[]> {
  const reference = entry['webhook_secret'];
  if (typeof reference !== 'string' || !reference.startsWith('secret:')) return [];
  const name = nameIn(reference);
  if (names.has(name) && !rotates) return [];
  const value = randomBytes(32).toString('hex');
  const keepsPrevious = names.has(name);
  return [await store(cli, { name, kind: 'webhook_secret', value, keepsPrevious })];
}
