import type { Client } from '../api/client.ts';
import { visible } from '../api/escape-control-characters.ts';
import type { CommandSpec, OptionSpec } from './command.ts';
import { parseInput } from './parsed-input.ts';

export const REASON_OPTION: OptionSpec = {
  flags: '--because <reason>',
  about: 'reason, shown in the event log and by "task why"',
};

type Name = string;

interface Switch {
  readonly noun: 'project' | 'agents' | 'invokers';
  readonly one: string;
  readonly argument: string;
  readonly example: string;
  readonly pause: (client: Client, name: Name, because: string | undefined) => Promise<unknown>;
  readonly resume: (client: Client, name: Name) => Promise<unknown>;
}

const SWITCHES: readonly Switch[] = [
  {
    noun: 'project',
    one: 'project',
    argument: '<project>',
    example: 'shop',
    pause: (client, name, because) =>
      client.call('pauseProject', { path: { name }, body: parseInput({ because }) }),
    resume: (client, name) => client.call('resumeProject', { path: { name } }),
  },
  {
    noun: 'agents',
    one: 'agent',
    argument: '<agent>',
    example: 'dev-default',
    pause: (client, name, because) =>
      client.call('pauseAgent', { path: { name }, body: parseInput({ because }) }),
    resume: (client, name) => client.call('resumeAgent', { path: { name } }),
  },
  {
    noun: 'invokers',
    one: 'invoker',
    argument: '<handle>',
    example: 'ada',
    pause: (client, handle, because) =>
      client.call('pauseInvoker', { path: { handle }, body: parseInput({ because }) }),
    resume: (client, handle) => client.call('resumeInvoker', { path: { handle } }),
  },
];

/** The kill switch at every level: active runs continue, no new ones start. */
export const PAUSE_COMMANDS: readonly CommandSpec[] = [
  ...hallSwitches(),
  ...SWITCHES.flatMap(switches),
];

function hallSwitches(): readonly CommandSpec[] {
  return [
    {
      path: 'pause',
      summary: 'start no new runs in the whole hall; active runs continue',
      uses: 'hall',
      options: [REASON_OPTION],
      examples: ['guildhall pause --because "the main branch is broken"'],
      run: async ({ client, out }, input) => {
        const body = parseInput({ because: input.text('because') });
        out.answer(await client().call('pauseHall', { body }), () => 'the hall is paused');
      },
    },
    {
      path: 'resume',
      summary: 'resume after a pause or a drain',
      uses: 'hall',
      examples: ['guildhall resume'],
      run: async ({ client, out }) => {
        out.answer(await client().call('resumeHall'), () => 'resumed the hall');
      },
    },
    {
      path: 'drain',
      summary: 'finish active runs and start no new ones, before stopping the hall',
      uses: 'hall',
      options: [REASON_OPTION],
      examples: ['guildhall drain --because upgrade', 'guildhall worker list'],
      run: async ({ client, out, command }, input) => {
        const body = parseInput({ because: input.text('because') });
        const text = `the hall is draining; resume it with: ${command('resume')}`;
        out.answer(await client().call('drainHall', { body }), () => text);
      },
    },
  ];
}

function switches({ noun, one, argument, example, pause, resume }: Switch): readonly CommandSpec[] {
  const args = [{ usage: argument, about: `name of the ${one}` }];
  return [
    {
      path: `${noun} pause`,
      summary: `start no new runs for one ${one}; active runs continue`,
      uses: 'hall',
      arguments: args,
      options: [REASON_OPTION],
      examples: [`guildhall ${noun} pause ${example} --because "on holiday"`],
      run: async ({ client, out }, input) => {
        const name = input.argument(0);
        const paused = await pause(client(), name, input.text('because'));
        out.answer(paused, () => `${visible(name)} is paused`);
      },
    },
    {
      path: `${noun} resume`,
      summary: `resume one ${one} after a pause`,
      uses: 'hall',
      arguments: args,
      examples: [`guildhall ${noun} resume ${example}`],
      run: async ({ client, out }, input) => {
        const name = input.argument(0);
        out.answer(await resume(client(), name), () => `resumed ${visible(name)}`);
      },
    },
  ];
}
