import type { CommandSpec } from '../command.ts';
import { TASK_ARGUMENT } from './columns.ts';

export const TASK_ANSWER: CommandSpec = {
  summary: "answer an agent's question; the task can then be claimed again",
  arguments: [TASK_ARGUMENT, { usage: '<text...>', about: 'the answer' }],
  examples: ['guildhall task answer t-12 "Round to the cent."'],
  run: async ({ client, out }, input) => {
    const body = { text: input.rest(1).join(' ') };
    const changed = await client().call('answerTask', { path: { id: input.argument(0) }, body });
    out.answer(changed, ({ id, state }) => `${id} is ${state}`);
  },
};
