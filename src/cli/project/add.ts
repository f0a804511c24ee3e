import type { CommandSpec } from '../command.ts';
import { type Given, given } from '../given.ts';
import { visible } from '../visible.ts';
import { WrongUse } from '../wrong-use.ts';

const ISOLATIONS = ['sandbox', 'container', 'none'] as const;
const MERGE_POLICIES = ['human', 'on-approval', 'force-at-max-rounds'] as const;
const SOURCES = ['github-issues', 'forgejo-issues', 'spiral-grove', 'spec-files', 'api'] as const;

export const PROJECT_ADD: CommandSpec = {
  path: 'project add',
  summary: 'register a project',
  asks: 'hall',
  arguments: [{ usage: '<name>', about: 'what it is called on the board' }],
  options: [
    { flags: '--repo <repo>', about: 'github:owner/name, <forge>:owner/name or file:path' },
    { flags: '--max-workers <count>', about: 'how many of its tasks run at once (default: 3)' },
    { flags: '--isolation <kind>', about: 'where its agents run', choices: ISOLATIONS },
    {
      flags: '--merge-policy <policy>',
      about: 'who merges (default: human)',
      choices: MERGE_POLICIES,
    },
    { flags: '--default-size <size>', about: 'of tasks that say nothing else (default: M)' },
    { flags: '--approver <type>', about: 'a type whose approval counts', many: true },
    { flags: '--auto-approve', about: 'children of a decomposition start by themselves' },
    { flags: '--source <kind>', about: `where tasks come from: ${SOURCES.join(', ')}`, many: true },
  ],
  examples: [
    'guildhall project add shop --repo github:acme/shop',
    'guildhall project add site --repo file:../site --max-workers 5 --source spec-files',
  ],
  run: async ({ client, out }, input) => {
    const body = {
      name: input.argument(0),
      ...given({
        repo: input.text('repo'),
        max_workers: input.number('maxWorkers'),
        isolation: input.text('isolation') as (typeof ISOLATIONS)[number] | undefined,
        merge_policy: input.text('mergePolicy') as (typeof MERGE_POLICIES)[number] | undefined,
        default_size: input.text('defaultSize'),
        approvers: input.list('approver')?.slice(),
        auto_approve: input.choice('autoApprove'),
        sources: sourcesIn(input),
      }),
    };
    const project = await client().call('addProject', { body });
    out.answer(project, ({ name }) => `${visible(name)} is registered`);
    out.say(`next: guildhall task add "…" --project ${visible(project.name)}`);
  },
};

function sourcesIn(input: Given): { kind: (typeof SOURCES)[number] }[] | undefined {
  return input.list('source')?.map((kind) => {
    const known = SOURCES.find((each) => each === kind);
    if (!known) throw new WrongUse(`--source must be one of ${SOURCES.join(', ')}`);
    return { kind: known };
  });
}
