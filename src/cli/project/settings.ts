import { unpolled } from '../../config/unpolled.ts';
import type { OptionSpec } from '../command.ts';
import { type Given, given } from '../given.ts';
import { WrongUse } from '../wrong-use.ts';

const ISOLATIONS = ['sandbox', 'container', 'none'] as const;
const MERGE_POLICIES = ['human', 'on-approval', 'force-at-max-rounds'] as const;
const SOURCES = ['github-issues', 'forgejo-issues', 'spiral-grove', 'spec-files', 'api'] as const;

interface Setting extends OptionSpec {
  /** What holds for a project that was added without it. */
  readonly usual?: string;
}

const SETTINGS: readonly Setting[] = [
  { flags: '--repo <repo>', about: 'github:owner/name, <forge>:owner/name or file:path' },
  { flags: '--max-workers <count>', about: 'how many of its tasks run at once', usual: '3' },
  { flags: '--isolation <kind>', about: 'where its agents run', choices: ISOLATIONS },
  {
    flags: '--merge-policy <policy>',
    about: 'who merges',
    usual: 'human',
    choices: MERGE_POLICIES,
  },
  { flags: '--default-size <size>', about: 'of tasks that say nothing else', usual: 'M' },
  { flags: '--max-retries <count>', about: 'CI failures in a row that are repaired', usual: '3' },
  { flags: '--crash-requeues <count>', about: 'workers a task may cost', usual: '3' },
  { flags: '--max-rounds <count>', about: 'rounds of review', usual: '3' },
  { flags: '--approver <type>', about: 'a type whose approval counts', many: true },
  { flags: '--auto-approve', about: 'children of a decomposition start by themselves' },
  { flags: '--budget-usd <amount>', about: 'what one run may cost at the model at most' },
  {
    flags: '--source <kind>',
    about: `where tasks come from, not polled yet: ${SOURCES.join(', ')}`,
    many: true,
  },
];

export const ADDING_OPTIONS: readonly OptionSpec[] = SETTINGS.map(
  ({ usual, about, ...option }) => ({
    ...option,
    about: usual === undefined ? about : `${about} (default: ${usual})`,
  }),
);

export const EDITING_OPTIONS: readonly OptionSpec[] = [
  ...SETTINGS,
  { flags: '--no-repo', about: 'it has no repository' },
  { flags: '--no-approvers', about: "no type's approval counts" },
  { flags: '--no-auto-approve', about: 'children of a decomposition wait for approval' },
  { flags: '--no-budget-usd', about: 'what a run may cost is left to its type' },
  { flags: '--no-sources', about: 'it has no sources' },
];

export function settingsIn(input: Given) {
  return given({
    repo: input.text('repo'),
    max_workers: input.number('maxWorkers'),
    isolation: input.text('isolation') as (typeof ISOLATIONS)[number] | undefined,
    merge_policy: input.text('mergePolicy') as (typeof MERGE_POLICIES)[number] | undefined,
    default_size: input.text('defaultSize'),
    max_retries: input.number('maxRetries'),
    crash_requeues: input.number('crashRequeues'),
    max_rounds: input.number('maxRounds'),
    approvers: input.list('approver')?.slice(),
    auto_approve: input.choice('autoApprove'),
    budget_usd: input.amount('budgetUsd'),
    sources: sourcesIn(input),
  });
}

function sourcesIn(input: Given): { kind: (typeof SOURCES)[number] }[] | undefined {
  return input.list('source')?.map((kind) => {
    const known = SOURCES.find((each) => each === kind);
    if (!known) throw new WrongUse(`--source must be one of ${SOURCES.join(', ')}`);
    return { kind: known };
  });
}

/** What there is to say of the sources that were typed; undefined where there is nothing. */
export function sourcesWarning(input: Given): string | undefined {
  return unpolled(sourcesIn(input) ?? []);
}
