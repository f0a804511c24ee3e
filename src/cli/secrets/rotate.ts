import { visible } from '../../api/escape-control-characters.ts';
import type { CommandSpec } from '../command.ts';
import { plural } from '../plural.ts';

export const SECRETS_ROTATE: CommandSpec = {
  summary: 'encrypt all stored secrets again, with a new key; their values stay the same',
  examples: ['guildhall secrets rotate'],
  run: async ({ client, out }) => {
    const rotated = await client().call('rotateSecrets');
    out.answer(rotated, ({ secrets }) => `${plural(secrets.length, 'secret')} encrypted again`);
    out.say(
      `the new key is in ${visible(rotated.place)}, above the old one, which older backups still need; copy it to where you keep the old one`,
    );
  },
};
