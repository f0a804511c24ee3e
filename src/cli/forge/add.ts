import { FORGE_KINDS } from '../../domain/forge/forge-kind.ts';
import type { CommandSpec } from '../command.ts';
import { EXIT_CODES } from '../exit.ts';
import { InvalidUsage } from '../invalid-usage.ts';
import type { ParsedInput } from '../parsed-input.ts';
import { addApp } from './add-app.ts';
import { addWithToken } from './add-with-token.ts';
import type { AddedForge, ForgeWish } from './added-forge.ts';
import { connectionText } from './connection-text.ts';

export const FORGE_ADD: CommandSpec = {
  summary: 'connect GitHub, Gitea or Forgejo: credential, configuration, labels and webhooks',
  arguments: [{ usage: '<kind>', about: 'github, gitea or forgejo' }],
  options: [
    { flags: '--url <url>', about: 'address of the forge (github: default https://github.com)' },
    { flags: '--name <name>', about: 'name of the forge in the configuration (default: its kind)' },
    { flags: '--with-token', about: 'github: use the token of an account instead of an App' },
    { flags: '--org <organization>', about: 'github: the organization that owns the App' },
    { flags: '--app-name <name>', about: 'github: name of the App (default: guildhall-XXXX)' },
    { flags: '--no-browser', about: 'github: print the address of the page, open no browser' },
    { flags: '--no-hook', about: 'make no webhook; the hall polls' },
    {
      flags: '--rotate-webhook-secret',
      about: 'make another webhook secret; both are valid until every webhook has it',
    },
    { flags: '--dry-run', about: 'show the change of the configuration file and make none' },
  ],
  examples: [
    'guildhall forge add github',
    'guildhall forge add github --url https://ghe.example --name work --org acme',
    'guildhall forge add forgejo --url https://forge.example < token.txt',
  ],
  run: async (cli, input) => {
    const wish = wishIn(input);
    const isApp = wish.kind === 'github' && !input.flag('withToken');
    const added = isApp ? await addApp(cli, input, wish) : await addWithToken(cli, input, wish);
    const result = { name: wish.name, kind: wish.kind, url: wish.url, ...added };
    cli.out.answer(result, () => connectionText(cli, result));
    return isConnected(added.repositories) ? EXIT_CODES.ok : EXIT_CODES.failed;
  },
};

function wishIn(input: ParsedInput): ForgeWish {
  const typed = input.argument(0);
  const kind = FORGE_KINDS.find((each) => each === typed);
  if (!kind) throw new InvalidUsage(`${typed} is not a kind of forge: ${FORGE_KINDS.join(', ')}`);
  const url = input.text('url') ?? (kind === 'github' ? 'https://github.com' : undefined);
  if (url === undefined) {
    throw new InvalidUsage(`name the address of the forge: --url https://forge.example`);
  }
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new InvalidUsage(`--url must be an http or https address, such as https://forge.example`);
  }
  const name = input.text('name') ?? kind;
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) || name === 'file') {
    throw new InvalidUsage('--name must be lower-case words joined by "-", such as work');
  }
  return {
    ...{ kind, name, url: url.replace(/\/+$/, '') },
    polls: input.choice('hook') === false,
    rotates: input.flag('rotateWebhookSecret'),
    isDry: input.flag('dryRun'),
  };
}

function isConnected(repositories: AddedForge['repositories']): boolean {
  return repositories.every(({ failure }) => failure === null);
}
