import { z } from 'zod';
import { CI_RULES, ISOLATIONS, MERGE_METHODS, MERGE_POLICIES } from '../domain/project.ts';
import { SIZES } from '../domain/size.ts';
import { GATE_MODES } from '../domain/tool-policy/verdict.ts';
import { DurationInput, TimeLimits, TimeLimitsInput } from './duration.ts';
import { Env, EnvInput } from './env.ts';
import { line, Name, SizeInput, text } from './fields.ts';
import { Limits, LimitsInput } from './limits.ts';
import { SourceConfig } from './sources.ts';

/** How the CLI offers a setting: its option, and the reader of `ParsedInput` that reads the value. */
interface SettingOption {
  readonly flags: string;
  readonly as: 'text' | 'number' | 'amount' | 'list' | 'choice';
  /** The help of `--no-…`, which returns the setting to its default. */
  readonly cleared?: string;
}

export interface Setting {
  /** The schema for input, over the API and in the configuration file. */
  readonly input: z.ZodType;
  /** The schema for output, where it differs. */
  readonly output?: z.ZodType;
  /** One line for the reference page and the CLI help. */
  readonly description: string;
  readonly option?: SettingOption;
}

const REPO = /^(file:.+|[a-z0-9][a-z0-9-]*:[\w.-]+\/[\w.-]+)$/;
const HOST = /^(\*\.)?[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*(:\d{1,5})?$/;
export const HostInput = z
  .string()
  .max(260)
  .regex(HOST, 'must be a host such as packages.example, *.example.org or example.org:8443');

const limit = z.int().min(0).max(1_000_000);

/**
 * Every setting of a project. `domain/project.ts` defines its meaning and default under the same
 * name in camel case. Schemas, configuration file, answers, CLI options and the reference page are
 * all derived from a row here.
 */
export const PROJECT_SETTINGS = {
  repo: {
    input: text(1_000)
      .regex(REPO, 'must be github:owner/name, <forge>:owner/name or file:path')
      .nullable(),
    description: 'its repository, as github:owner/name, <forge>:owner/name or file:path',
    option: { flags: '--repo <repo>', as: 'text', cleared: 'remove its repository' },
  },
  max_workers: {
    input: z.int().min(1).max(1_000),
    description: 'how many of its tasks may run at once',
    option: { flags: '--max-workers <count>', as: 'number' },
  },
  isolation: {
    input: z.enum(ISOLATIONS).nullable(),
    description: 'how its agents are isolated (default: the strongest that the machine offers)',
    option: { flags: '--isolation <kind>', as: 'text' },
  },
  merge_policy: {
    input: z.enum(MERGE_POLICIES),
    description: 'who merges its pull requests',
    option: { flags: '--merge-policy <policy>', as: 'text' },
  },
  merge_method: {
    input: z.enum(MERGE_METHODS),
    description:
      'how the hall merges them: a merge commit, one squashed commit, or rebased commits',
    option: { flags: '--merge-method <method>', as: 'text' },
  },
  default_size: {
    input: SizeInput,
    description: `size of tasks that are posted without one: ${SIZES.join(', ')}`,
    option: { flags: '--default-size <size>', as: 'text' },
  },
  time_limits: {
    input: TimeLimitsInput,
    output: TimeLimits,
    description:
      'when a run is ended, by the size of its task, such as { L: 8h } (default: twice the target: 1 h for XS and S, 2 h for M, 6 h for L)',
  },
  max_retries: {
    input: limit,
    description: 'how many consecutive CI failures agents try to fix',
    option: { flags: '--max-retries <count>', as: 'number' },
  },
  crash_requeues: {
    input: limit,
    description: 'how many times a task is requeued after its worker crashed',
    option: { flags: '--crash-requeues <count>', as: 'number' },
  },
  max_rounds: {
    input: limit,
    description: 'how many review rounds a pull request may take',
    option: { flags: '--max-rounds <count>', as: 'number' },
  },
  approvers: {
    input: z.array(Name).max(100),
    description: 'agent types whose approval counts when merge_policy is on-approval',
    option: {
      flags: '--approver <type>',
      as: 'list',
      cleared: 'do not count the approval of any agent type',
    },
  },
  auto_approve: {
    input: z.boolean(),
    description: "start the children of a decomposition without a person's approval",
    option: {
      flags: '--auto-approve',
      as: 'choice',
      cleared: 'make the children of a decomposition wait for approval',
    },
  },
  budget_usd: {
    input: z.number().min(0.01).max(100_000).nullable(),
    description:
      'maximum cost of the model calls of one run, in USD; applies only if lower than the budget of the agent type',
    option: {
      flags: '--budget-usd <amount>',
      as: 'amount',
      cleared: 'use the budget of the agent type',
    },
  },
  sources: {
    input: z.array(SourceConfig).max(20),
    output: z.array(z.looseObject({ kind: z.string() })),
    description: 'where its tasks come from, besides the API',
    option: { flags: '--source <kind[=labels|=path]>', as: 'list', cleared: 'remove its sources' },
  },
  base: {
    input: line(200).nullable(),
    description:
      "the branch that work starts from and is merged into (default: the repository's default branch; in a local clone, the branch that is checked out)",
  },
  setup: {
    input: z.array(line(10_000)).max(50),
    description: 'commands to run in a fresh workspace before the agent starts',
  },
  copy: {
    input: z.array(line(1_000)).max(100),
    description:
      'git-ignored files that a workspace needs; they are copied from the folder of a file: repository',
  },
  checks: {
    input: z.array(z.strictObject({ name: Name, run: line(10_000) })).max(20),
    description:
      'check commands that a branch must pass; for file: repositories, where no forge runs checks',
  },
  ci: {
    input: z.enum(CI_RULES),
    description: 'whether the merge policy requires checks (none: unchecked work is merged too)',
  },
  ci_wait: {
    input: DurationInput,
    output: z.string(),
    description:
      'how long a pushed commit waits for its first check on a forge before it goes on without CI',
  },
  network: {
    input: z.array(HostInput).max(100),
    description: 'the only hosts its agents may reach, such as packages.example',
  },
  env: {
    input: EnvInput,
    output: Env,
    description:
      'variables for its setup, agents and checks, such as a mirror or a CA file; everyone who sees the board sees them',
  },
  gate: {
    input: z.enum(GATE_MODES).nullable(),
    description:
      'whether commands that the tool gate does not know are accepted or shown to a person (default: sandboxed in a cell without network, else strict; without isolation always strict)',
    option: { flags: '--gate <mode>', as: 'text', cleared: 'let the isolation of the run decide' },
  },
  limits: {
    input: LimitsInput,
    output: Limits,
    description:
      'resource limits for all programs of a run combined; if the agent type sets limits too, the stricter one applies',
  },
} as const satisfies Record<string, Setting>;

type Settings = typeof PROJECT_SETTINGS;
export type SettingName = keyof Settings;
export type SchemaOf<K extends SettingName> = Settings[K]['input'];
type ShownAs<K extends SettingName> = Settings[K] extends { output: infer S } ? S : SchemaOf<K>;

export const SETTINGS_INPUT = settingsShape(({ input }) => input) as {
  [K in SettingName]: SchemaOf<K>;
};

export const SETTINGS_OUTPUT = settingsShape(({ input, output }) => output ?? input) as {
  [K in SettingName]: ShownAs<K>;
};

export function settingsShape(make: (setting: Setting, name: SettingName) => z.ZodType) {
  const rows = Object.entries<Setting>(PROJECT_SETTINGS) as [SettingName, Setting][];
  return Object.fromEntries(rows.map(([name, setting]) => [name, make(setting, name)]));
}

/** The allowed values of a setting, if it has a fixed list. */
export function choicesOf(name: SettingName): readonly string[] | undefined {
  const { input }: Setting = PROJECT_SETTINGS[name];
  const inner = input instanceof z.ZodNullable ? input.unwrap() : input;
  return inner instanceof z.ZodEnum ? inner.options.map(String) : undefined;
}
