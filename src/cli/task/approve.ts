import type { CommandSpec } from '../command.ts';
import { parseInput } from '../parsed-input.ts';
import { TASK_ARGUMENT } from './columns.ts';

export const TASK_APPROVE: CommandSpec = {
  summary: 'approve a proposed task, or the tasks that a decomposition proposed',
  arguments: [TASK_ARGUMENT],
  options: [{ flags: '--only <task>', about: 'approve only this proposed task', many: true }],
  examples: ['guildhall task approve t-12', 'guildhall task approve t-12 --only t-31 --only t-33'],
  run: async ({ client, out }, input) => {
    const body = parseInput({ only: input.list('only')?.slice() });
    const approved = await client().call('approveTask', { path: { id: input.argument(0) }, body });
    out.answer(approved, (done) => `approved ${done.approved.join(', ')}`);
  },
};
