import { visible } from '../../api/escape-control-characters.ts';
import { ROLES } from '../../domain/token.ts';
import type { CommandSpec } from '../command.ts';

export const TOKEN_CREATE: CommandSpec = {
  summary: 'create a named token; it is shown only once',
  arguments: [{ usage: '<name>', about: 'who or what will use it' }],
  options: [
    { flags: '--role <role>', about: 'role of the token (default: viewer)', choices: ROLES },
  ],
  examples: [
    'guildhall token create ada --role operator',
    'guildhall token create build-box --role worker > worker.token',
  ],
  run: async ({ client, out }, input) => {
    const role = (input.text('role') ?? 'viewer') as (typeof ROLES)[number];
    const made = await client().call('createToken', { body: { name: input.argument(0), role } });
    out.say(`created token ${visible(made.name)} with role ${made.role}; it is shown only once`);
    if (made.note !== null) out.say(visible(made.note));
    out.answer(made, ({ token }) => token);
  },
};
