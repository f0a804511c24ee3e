import type { Client } from '../../api/client.ts';
import type { CommandSpec } from '../command.ts';
import { parseInput } from '../parsed-input.ts';
import { REASON_OPTION } from '../pause.ts';
import type { Thread } from './columns.ts';

interface Move {
  readonly verb: string;
  readonly summary: string;
  readonly takesReason: boolean;
  readonly says: (self: string) => string;
  readonly call: (client: Client, id: string, because: string | undefined) => Promise<Thread>;
}

const ACTIONS: readonly Move[] = [
  {
    verb: 'handover',
    summary: 'a person takes the thread over: its runs stop and nothing in it starts',
    takesReason: true,
    says: (self) => `is yours; give it back with "${self} thread handback"`,
    call: (client, id, because) =>
      client.call('handOverThread', { path: { id }, body: parseInput({ because }) }),
  },
  {
    verb: 'handback',
    summary: 'the agents go on with the thread',
    takesReason: false,
    says: () => 'is handed back',
    call: (client, id) => client.call('handBackThread', { path: { id } }),
  },
  {
    verb: 'merge',
    summary: 'merge its pull request once its checks are green, where the hall is the forge',
    takesReason: false,
    says: () => 'is merged as soon as its checks are green',
    call: (client, id) => client.call('mergeThread', { path: { id } }),
  },
  {
    verb: 'close',
    summary: 'its pull request is not wanted: the thread ends without being done',
    takesReason: false,
    says: () => 'has ended',
    call: (client, id) => client.call('closeThread', { path: { id } }),
  },
  {
    verb: 'mark-merged',
    summary: 'its pull request was merged; for halls that no forge tells so',
    takesReason: false,
    says: () => 'is marked as merged',
    call: (client, id) => client.call('markThreadMerged', { path: { id } }),
  },
];

export const THREAD_ACTIONS: readonly CommandSpec[] = ACTIONS.map(
  ({ verb, summary, takesReason, says, call }) => ({
    path: `thread ${verb}`,
    summary,
    asks: 'hall',
    arguments: [{ usage: '<thread>', about: 'the thread, such as th-11' }],
    options: takesReason ? [REASON_OPTION] : [],
    examples: [`guildhall thread ${verb} th-11`],
    run: async ({ client, out, self }, input) => {
      const thread = await call(client(), input.argument(0), input.text('because'));
      out.answer(thread, ({ id }) => `${id} ${says(self)}`);
    },
  }),
);
