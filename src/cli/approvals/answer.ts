import { visible } from '../../api/escape-control-characters.ts';
import type { OperationResult } from '../../api/operation.ts';
import { Promotion } from '../../api/tools.ts';
import type { Cli, CommandSpec } from '../command.ts';
import type { ParsedInput } from '../parsed-input.ts';

const ARGUMENT = { usage: '<approval>', about: 'the approval, such as ap-12' } as const;

export const APPROVALS_APPROVE: CommandSpec = {
  path: 'approvals approve',
  summary: 'let a command run once, or from now on',
  asks: 'hall',
  arguments: [ARGUMENT],
  options: [
    { flags: '--because <text>', about: 'why; it stands in the log' },
    {
      flags: '--promote <where>',
      about: 'make a rule of it: accept the same command in this project, or in all',
      choices: Promotion.options,
    },
  ],
  examples: [
    'guildhall approvals approve ap-12',
    'guildhall approvals approve ap-12 --promote project --because "the folder is made by the build"',
  ],
  run: (cli, input) => answer(cli, input, 'approve'),
};

export const APPROVALS_DENY: CommandSpec = {
  path: 'approvals deny',
  summary: 'keep a command from running; the agent reads why',
  asks: 'hall',
  arguments: [ARGUMENT],
  options: [{ flags: '--because <text>', about: 'what the agent should do instead' }],
  examples: ['guildhall approvals deny ap-12 --because "remove the files one by one"'],
  run: (cli, input) => answer(cli, input, 'deny'),
};

/** What is answered is what was read a moment before: its nonce goes back with the answer. */
async function answer(
  { client, out }: Cli,
  input: ParsedInput,
  said: 'approve' | 'deny',
): Promise<void> {
  const path = { id: input.argument(0) };
  const seen = await client().call('getApproval', { path });
  show(out, seen);
  const promote = (input.text('promote') ?? null) as (typeof Promotion.options)[number] | null;
  const because = input.text('because') ?? null;
  const body = { answer: said, nonce: seen.nonce ?? 'answered', because, promote } as const;
  const done = await client().call('answerApproval', { path, body });
  out.answer(done, ({ id, state }) => `${id} is ${state}`);
}

function show(out: Cli['out'], { project, task, tree }: OperationResult<'getApproval'>): void {
  out.say(`${visible(project)} ${task}:`);
  for (const line of tree) out.say(`  ${visible(line)}`);
}
