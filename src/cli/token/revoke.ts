import { visible } from '../../api/escape-control-characters.ts';
import type { CommandSpec } from '../command.ts';

export const TOKEN_REVOKE: CommandSpec = {
  summary: 'revoke a token and end the workers it registered',
  arguments: [{ usage: '<name>', about: 'name of the token' }],
  examples: ['guildhall token revoke ada'],
  run: async ({ client, out }, input) => {
    const name = input.argument(0);
    await client().call('revokeToken', { path: { name } });
    out.answer({ name, revoked: true }, () => `revoked ${visible(name)}`);
  },
};
