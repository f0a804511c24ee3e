import { visible } from '../../api/escape-control-characters.ts';
import type { CommandSpec } from '../command.ts';

export const SECRETS_REMOVE: CommandSpec = {
  summary: 'remove a stored secret; this needs no key',
  arguments: [{ usage: '<name>', about: 'name of the secret' }],
  options: [{ flags: '--previous', about: 'remove only the value before the current one' }],
  examples: ['guildhall secrets remove anthropic', 'guildhall secrets remove hook --previous'],
  run: async ({ client, out }, input) => {
    const name = input.argument(0);
    const previous = input.flag('previous');
    const { secrets } = await client().call('listSecrets');
    const usedBy = previous ? [] : (secrets.find((each) => each.name === name)?.used_by ?? []);
    await client().call('removeSecret', {
      path: { name },
      query: { previous: previous ? 'true' : 'false' },
    });
    const what = previous ? `the previous value of ${visible(name)}` : visible(name);
    out.answer({ name, previous, removed: true, used_by: usedBy }, () => `removed ${what}`);
    if (usedBy.length > 0) out.warn(`still used by ${visible(usedBy.join(', '))}`);
  },
};
