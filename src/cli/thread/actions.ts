import type { Client } from '../../api/client.ts';
import type { Cli, CommandSpec } from '../command.ts';
import { parseInput } from '../parsed-input.ts';
import { REASON_OPTION } from '../pause.ts';
import type { Thread } from './columns.ts';

interface ThreadAction {
  readonly verb: string;
  readonly summary: string;
  readonly takesReason: boolean;
  readonly result: (command: Cli['command'], id: string) => string;
  readonly call: (client: Client, id: string, because: string | undefined) => Promise<Thread>;
}

export const THREAD_HANDOVER: CommandSpec = action({
  verb: 'handover',
  summary: 'take a thread over from the agents: its runs stop and no new ones start',
  takesReason: true,
  result: (command, id) => `is yours; hand it back with: ${command('thread handback', id)}`,
  call: (client, id, because) =>
    client.call('handOverThread', { path: { id }, body: parseInput({ because }) }),
});

export const THREAD_HANDBACK: CommandSpec = action({
  verb: 'handback',
  summary: 'hand a thread back to the agents',
  takesReason: false,
  result: () => 'is handed back',
  call: (client, id) => client.call('handBackThread', { path: { id } }),
});

export const THREAD_RECHECK: CommandSpec = action({
  verb: 'recheck',
  summary: 'run the checks of a thread again, where the hall is the forge',
  takesReason: false,
  result: () => 'will be checked again',
  call: (client, id) => client.call('recheckThread', { path: { id } }),
});

export const THREAD_MERGE: CommandSpec = action({
  verb: 'merge',
  summary:
    'merge the pull request of a thread once its checks are green, where the hall is the forge',
  takesReason: false,
  result: () => 'will be merged as soon as its checks are green',
  call: (client, id) => client.call('mergeThread', { path: { id } }),
});

export const THREAD_CLOSE: CommandSpec = action({
  verb: 'close',
  summary: 'close the pull request of a thread; the thread ends without being done',
  takesReason: false,
  result: () => 'has ended',
  call: (client, id) => client.call('closeThread', { path: { id } }),
});

export const THREAD_MARK_MERGED: CommandSpec = action({
  verb: 'mark-merged',
  summary: 'mark the pull request of a thread as merged, where no forge reports it',
  takesReason: false,
  result: () => 'is marked as merged',
  call: (client, id) => client.call('markThreadMerged', { path: { id } }),
});

function action({ verb, summary, takesReason, result, call }: ThreadAction): CommandSpec {
  return {
    summary,
    arguments: [{ usage: '<thread>', about: 'the thread, such as th-11' }],
    options: takesReason ? [REASON_OPTION] : [],
    examples: [`guildhall thread ${verb} th-11`],
    run: async ({ client, out, command }, input) => {
      const thread = await call(client(), input.argument(0), input.text('because'));
      out.answer(thread, ({ id }) => `${id} ${result(command, id)}`);
    },
  };
}
