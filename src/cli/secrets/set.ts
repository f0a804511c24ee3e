import { visible } from '../../api/escape-control-characters.ts';
import { SecretKind } from '../../api/secrets.ts';
import type { CommandSpec } from '../command.ts';
import { parseInput } from '../parsed-input.ts';
import { readSecret } from './read-secret.ts';

export const SECRETS_SET: CommandSpec = {
  summary: 'store a secret, encrypted; its value comes from standard input or a prompt',
  arguments: [{ usage: '<name>', about: 'name of the secret; the configuration says secret:NAME' }],
  options: [
    {
      flags: '--kind <kind>',
      about: 'what it is for (default: what it was for, or what the configuration uses it for)',
      choices: SecretKind.options,
    },
    {
      flags: '--keep-previous',
      about: 'keep the value before valid too, while a webhook_secret is changed on its forge',
    },
    {
      flags: '--new-key',
      about:
        'the key of the stored secrets is lost: use or make another one; enter all of them again',
    },
  ],
  examples: [
    'guildhall secrets set anthropic < key.txt',
    'guildhall secrets set hook --kind webhook_secret --keep-previous',
  ],
  run: async (cli, input) => {
    const { client, out } = cli;
    const name = input.argument(0);
    const kind = input.text('kind') as (typeof SecretKind.options)[number] | undefined;
    const value = await readSecret(cli, `Value of ${visible(name)} (not shown): `);
    const secret = await client().call('setSecret', {
      body: {
        ...parseInput({ kind }),
        name,
        value,
        keep_previous: input.flag('keepPrevious'),
        new_key: input.flag('newKey'),
      },
    });
    out.answer(secret, ({ kind: stored }) => `stored ${visible(secret.name)} (${stored})`);
    if (secret.used_by.length === 0) {
      out.say(`nothing uses it yet: write secret:${visible(secret.name)} in the configuration`);
    }
  },
};
