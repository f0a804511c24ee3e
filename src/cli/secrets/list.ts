import { visible } from '../../api/escape-control-characters.ts';
import type { CommandSpec } from '../command.ts';
import { formatTime } from '../format-time.ts';

export const SECRETS_LIST: CommandSpec = {
  summary: 'list the stored secrets, never their values',
  examples: ['guildhall secrets list'],
  run: async ({ client, out }) => {
    const listed = await client().call('listSecrets');
    out.answer(listed, ({ secrets }) =>
      out.table(
        [
          { head: 'SECRET', cell: ({ name }) => name },
          { head: 'KIND', cell: ({ kind }) => kind },
          { head: 'SET', cell: ({ set_at }) => formatTime(set_at) },
          { head: 'BY', cell: ({ set_by }) => set_by },
          { head: 'VALUES', cell: ({ has_previous: hasPrevious }) => (hasPrevious ? '2' : '1') },
          { head: 'READABLE', cell: ({ readable }) => (readable ? 'yes' : 'no') },
          { head: 'USED BY', cell: ({ used_by }) => used_by.join(', ') || '-' },
        ],
        secrets,
        'no secrets are stored',
      ),
    );
    const { secrets, key } = listed;
    const says = key.says === null ? secrets.flatMap((each) => each.says ?? []) : [key.says];
    for (const each of says) out.warn(visible(each));
  },
};
