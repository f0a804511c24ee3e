import { z } from 'zod';
import { CI_RULES, ISOLATIONS, MERGE_POLICIES } from '../domain/project.ts';
import { SIZES } from '../domain/size.ts';
import { line, Name, SizeInput, text } from './fields.ts';
import { Limits, LimitsInput } from './limits.ts';
import { SourceConfig } from './sources.ts';

/** How the CLI offers a setting: its option, and the reader of `Given` that reads the value. */
interface SettingOption {
  readonly flags: string;
  readonly as: 'text' | 'number' | 'amount' | 'list' | 'choice';
  /** What `--no-…` reports for a project whose setting returns to its default. */
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
const HostAsked = z
  .string()
  .max(260)
  .regex(HOST, 'must be a host such as registry.npmjs.org, *.example.org or example.org:8443');

const limit = z.int().min(0).max(1_000_000);

/**
 * Every setting of a project. `domain/project.ts` defines its meaning and default under the same
 * name in camel case. Schemas, configuration file, answers, CLI options and the reference page are
 * all derived from a row here.
 */
export const PROJECT_SETTINGS = {
  repo: {
    input: text(1_000)
      .regex(REPO, 'must be github:owner/name, <forge>:owner/name, or file:path')
      .nullable(),
    description: 'github:owner/name, <forge>:owner/name or file:path',
    option: { flags: '--repo <repo>', as: 'text', cleared: 'it has no repository' },
  },
  max_workers: {
    input: z.int().min(1).max(1_000),
    description: 'how many of its tasks run at once',
    option: { flags: '--max-workers <count>', as: 'number' },
  },
  isolation: {
    input: z.enum(ISOLATIONS).nullable(),
    description: 'where its agents run (left out: the best the machine can)',
    option: { flags: '--isolation <kind>', as: 'text' },
  },
  merge_policy: {
    input: z.enum(MERGE_POLICIES),
    description: 'who merges',
    option: { flags: '--merge-policy <policy>', as: 'text' },
  },
  default_size: {
    input: SizeInput,
    description: `size of a task that names none: ${SIZES.join(', ')}`,
    option: { flags: '--default-size <size>', as: 'text' },
  },
  max_retries: {
    input: limit,
    description: 'CI failures in a row that are repaired',
    option: { flags: '--max-retries <count>', as: 'number' },
  },
  crash_requeues: {
    input: limit,
    description: 'workers a task may cost before it fails',
    option: { flags: '--crash-requeues <count>', as: 'number' },
  },
  max_rounds: {
    input: limit,
    description: 'rounds of review',
    option: { flags: '--max-rounds <count>', as: 'number' },
  },
  approvers: {
    input: z.array(Name).max(100),
    description: 'types whose approval counts under on-approval',
    option: { flags: '--approver <type>', as: 'list', cleared: "no type's approval counts" },
  },
  auto_approve: {
    input: z.boolean(),
    description: "children of a decomposition start without a person's approval",
    option: {
      flags: '--auto-approve',
      as: 'choice',
      cleared: 'children of a decomposition wait for approval',
    },
  },
  budget_usd: {
    input: z.number().min(0.01).max(100_000).nullable(),
    description: 'what one run may cost at the model, where that is less than its type allows',
    option: {
      flags: '--budget-usd <amount>',
      as: 'amount',
      cleared: 'what a run may cost is left to its type',
    },
  },
  sources: {
    input: z.array(SourceConfig).max(20),
    output: z.array(z.looseObject({ kind: z.string() })),
    description: 'where its tasks come from, besides the API; not polled yet',
    option: { flags: '--source <kind>', as: 'list', cleared: 'it has no sources' },
  },
  base: {
    input: line(200).nullable(),
    description:
      "the branch that work starts from and is merged into; left out, the repository's default, which in a clone on this disk is the branch that is checked out there",
  },
  setup: {
    input: z.array(line(10_000)).max(50),
    description: 'commands run in a fresh workspace before the agent begins',
  },
  copy: {
    input: z.array(line(1_000)).max(100),
    description:
      'files that git ignores and a workspace needs, copied from the folder of a file: repository',
  },
  checks: {
    input: z.array(z.strictObject({ name: Name, run: line(10_000) })).max(20),
    description:
      'commands a branch has to pass, of a file: repository, for which no forge runs any',
  },
  ci: {
    input: z.enum(CI_RULES),
    description: 'what a policy asks of CI; with none it merges what no check ever looked at',
  },
  network: {
    input: z.array(HostAsked).max(100),
    description: 'hosts its agents may reach, such as registry.npmjs.org; none of the others',
  },
  limits: {
    input: LimitsInput,
    output: Limits,
    description:
      'what the programs of one run may use together; the tighter of type and project holds',
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
