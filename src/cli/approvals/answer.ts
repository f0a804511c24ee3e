import { visible } from '../../api/escape-control-characters.ts';
import type { OperationResult } from '../../api/operation.ts';
import { PROMOTIONS } from '../../domain/approval.ts';
import type { Cli, CommandSpec } from '../command.ts';
import type { ParsedInput } from '../parsed-input.ts';

const ARGUMENT = { usage: '<approval>', about: 'the approval, such as ap-12' } as const;

export const APPROVALS_APPROVE: CommandSpec = {
  summary: 'approve a waiting command, once or with a rule',
  arguments: [ARGUMENT],
  options: [
    { flags: '--because <text>', about: 'reason, recorded in the log' },
    {
      flags: '--promote <where>',
      about: 'also add a rule that accepts the same command in this project, or in all',
      choices: PROMOTIONS,
    },
  ],
  examples: [
    'guildhall approvals approve ap-12',
    'guildhall approvals approve ap-12 --promote project --because "the build creates the folder"',
  ],
  run: (cli, input) => answer(cli, input, 'approve'),
};

export const APPROVALS_DENY: CommandSpec = {
  summary: 'deny a waiting command; the agent sees the reason',
  arguments: [ARGUMENT],
  options: [{ flags: '--because <text>', about: 'what the agent should do instead' }],
  examples: ['guildhall approvals deny ap-12 --because "remove the files one by one"'],
  run: (cli, input) => answer(cli, input, 'deny'),
};

/** Shows the approval first and sends back its nonce, so the answer is about what was shown. */
async function answer(
  { client, out }: Cli,
  input: ParsedInput,
  verdict: 'approve' | 'deny',
): Promise<void> {
  const path = { id: input.argument(0) };
  const approval = await client().call('getApproval', { path });
  show(out, approval);
  const promote = (input.text('promote') ?? null) as (typeof PROMOTIONS)[number] | null;
  const because = input.text('because') ?? null;
  const body = { answer: verdict, nonce: approval.nonce ?? 'answered', because, promote } as const;
  const done = await client().call('answerApproval', { path, body });
  out.answer(done, ({ id, state }) => `${id} is ${state}`);
}

function show(out: Cli['out'], { project, task, tree }: OperationResult<'getApproval'>): void {
  out.say(`${visible(project)} ${task}:`);
  for (const line of tree) out.say(`  ${visible(line)}`);
}
