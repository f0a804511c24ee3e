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
  /** False only where it is known not to be. */
  readonly isPaused: (client: Client, name: Name) => Promise<boolean>;
}

/* The kill switch at every level: active runs continue, no new ones start. */

export const PAUSE: CommandSpec = {
  summary: 'start no new runs in the whole hall; active runs continue',
  options: [REASON_OPTION],
  examples: ['guildhall pause --because "the main branch is broken"'],
  run: async ({ client, out }, input) => {
    const body = parseInput({ because: input.text('because') });
    out.answer(await client().call('pauseHall', { body }), () => 'the hall is paused');
  },
};

export const RESUME: CommandSpec = {
  summary: 'resume after a pause or a drain',
  examples: ['guildhall resume'],
  run: async ({ client, out }) => {
    const { hall } = await client().call('getBoard');
    const isPaused = hall.paused !== null || hall.draining !== null;
    out.answer(await client().call('resumeHall'), () =>
      isPaused ? 'resumed the hall' : 'the hall was not paused',
    );
  },
};

export const DRAIN: CommandSpec = {
  summary: 'finish active runs and start no new ones, before stopping the hall',
  options: [REASON_OPTION],
  examples: ['guildhall drain --because upgrade', 'guildhall worker list'],
  run: async ({ client, out, command }, input) => {
    const body = parseInput({ because: input.text('because') });
    const text = `the hall is draining; resume it with: ${command('resume')}`;
    out.answer(await client().call('drainHall', { body }), () => text);
  },
};

export const PROJECT_SWITCH: SwitchCommands = switches({
  noun: 'project',
  one: 'project',
  argument: '<project>',
  example: 'shop',
  pause: (client, name, because) =>
    client.call('pauseProject', { path: { name }, body: parseInput({ because }) }),
  resume: (client, name) => client.call('resumeProject', { path: { name } }),
  isPaused: async (client, name) =>
    (await client.call('getProject', { path: { name } })).paused !== null,
});

export const AGENT_SWITCH: SwitchCommands = switches({
  noun: 'agents',
  one: 'agent',
  argument: '<agent>',
  example: 'dev-default',
  pause: (client, name, because) =>
    client.call('pauseAgent', { path: { name }, body: parseInput({ because }) }),
  resume: (client, name) => client.call('resumeAgent', { path: { name } }),
  isPaused: async (client, name) => {
    const { agents } = await client.call('listAgents');
    return agents.find((agent) => agent.name === name)?.paused !== null;
  },
});

export const INVOKER_SWITCH: SwitchCommands = switches({
  noun: 'invokers',
  one: 'invoker',
  argument: '<handle>',
  example: 'ada',
  pause: (client, handle, because) =>
    client.call('pauseInvoker', { path: { handle }, body: parseInput({ because }) }),
  resume: (client, handle) => client.call('resumeInvoker', { path: { handle } }),
  isPaused: async (client, handle) => {
    const { invokers } = await client.call('listInvokers');
    const invoker = invokers.find((each) => each.handle === handle);
    return !invoker || invoker.paused !== null || invoker.parked_until !== null;
  },
});

interface SwitchCommands {
  readonly pause: CommandSpec;
  readonly resume: CommandSpec;
}

function switches(kind: Switch): SwitchCommands {
  const { noun, one, argument, example, pause, resume, isPaused } = kind;
  const args = [{ usage: argument, about: `name of the ${one}` }];
  return {
    pause: {
      summary: `start no new runs for one ${one}; active runs continue`,
      arguments: args,
      options: [REASON_OPTION],
      examples: [`guildhall ${noun} pause ${example} --because "on holiday"`],
      run: async ({ client, out }, input) => {
        const name = input.argument(0);
        const paused = await pause(client(), name, input.text('because'));
        out.answer(paused, () => `${visible(name)} is paused`);
      },
    },
    resume: {
      summary: `resume one ${one} after a pause`,
      arguments: args,
      examples: [`guildhall ${noun} resume ${example}`],
      run: async ({ client, out }, input) => {
        const name = input.argument(0);
        const wasPaused = await isPaused(client(), name);
        out.answer(await resume(client(), name), () =>
          wasPaused ? `resumed ${visible(name)}` : `${visible(name)} was not paused`,
        );
      },
    },
  };
}
