import type { CommandSpec } from '../command.ts';

export const WORKER_DRAIN: CommandSpec = {
  summary: 'let a worker finish its run and claim no more tasks',
  arguments: [{ usage: '<worker>', about: 'the worker, such as w-7' }],
  examples: ['guildhall worker drain w-7'],
  run: async ({ client, out }, input) => {
    const worker = await client().call('drainWorker', { path: { id: input.argument(0) } });
    out.answer(
      worker,
      ({ id, run }) => `${id} is draining${run ? `; it finishes ${run.task} first` : ''}`,
    );
  },
};
