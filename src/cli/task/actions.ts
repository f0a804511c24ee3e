import type { Client } from '../../api/client.ts';
import type { CommandSpec } from '../command.ts';
import { parseInput } from '../parsed-input.ts';
import { REASON_OPTION } from '../pause.ts';
import { TASKS_ARGUMENT } from './columns.ts';

interface TaskAction {
  readonly summary: string;
  readonly takesReason: boolean;
  readonly example: string;
  readonly call: (
    client: Client,
    id: string,
    because: string | undefined,
  ) => Promise<{ readonly id: string; readonly state: string }>;
}

export const TASK_CANCEL: CommandSpec = action({
  summary: 'cancel a task for good; its worker is ordered to stop',
  takesReason: true,
  example: 'guildhall task cancel t-12 t-13 --because "no longer wanted"',
  call: (client, id, because) =>
    client.call('cancelTask', { path: { id }, body: parseInput({ because }) }),
});

export const TASK_RETRY: CommandSpec = action({
  summary: 'make a deferred task available now',
  takesReason: false,
  example: 'guildhall task retry t-12',
  call: (client, id) => client.call('retryTask', { path: { id } }),
});

export const TASK_REOPEN: CommandSpec = action({
  summary: 'reopen a task that has ended, as a new task linked to it',
  takesReason: false,
  example: 'guildhall task reopen t-12',
  call: (client, id) => client.call('reopenTask', { path: { id } }),
});

export const TASK_RELEASE: CommandSpec = action({
  summary: 'take a task back from its worker so that another can claim it',
  takesReason: true,
  example: 'guildhall task release t-12 --because "the worker hangs"',
  call: (client, id, because) =>
    client.call('releaseTask', { path: { id }, body: parseInput({ because }) }),
});

/** A command that only moves a task to another state. */
function action({ summary, takesReason, example, call }: TaskAction): CommandSpec {
  return {
    summary,
    arguments: [TASKS_ARGUMENT],
    options: takesReason ? [REASON_OPTION] : [],
    examples: [example],
    run: async ({ client, out }, input) => {
      for (const task of input.rest(0)) {
        const changed = await call(client(), task, input.text('because'));
        out.next(changed, ({ id, state }) => `${id} is ${state}`);
      }
    },
  };
}
