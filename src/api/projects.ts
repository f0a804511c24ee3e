import { z } from 'zod';
import { Counts, Name, Pause, Size, SizeAsked, Time, text, words } from './words.ts';

const FilterAsked = z.strictObject({ labels: z.array(words(100)).max(100).default([]) });

/** Where tasks of a project come from by themselves. */
export const SourceAsked = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('github-issues'), filter: FilterAsked.prefault({}) }),
    z.strictObject({ kind: z.literal('forgejo-issues'), filter: FilterAsked.prefault({}) }),
    z.strictObject({ kind: z.literal('spiral-grove'), path: words(1_000).default('.sdd/tasks') }),
    z.strictObject({ kind: z.literal('spec-files'), path: words(1_000).default('specs') }),
    z.strictObject({ kind: z.literal('api') }),
  ])
  .meta({ id: 'SourceAsked' });

const ISOLATIONS = ['sandbox', 'container', 'none'] as const;
const MERGE_POLICIES = ['human', 'on-approval', 'force-at-max-rounds'] as const;
const REPO = /^(file:.+|[a-z0-9][a-z0-9-]*:[\w.-]+\/[\w.-]+)$/;

const CI_RULES = ['required', 'none'] as const;

/** A command that a branch has to pass. */
const CheckAsked = z.strictObject({ name: Name, run: words(10_000) });

const HOST = /^(\*\.)?[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*(:\d{1,5})?$/;
const HostAsked = z
  .string()
  .max(260)
  .regex(HOST, 'must be a host such as registry.npmjs.org, *.example.org or example.org:8443');

/** What the programs of one run may use together. */
export const LimitsAsked = z
  .strictObject({
    cpu: z.number().min(0.05).max(1_024).nullable().default(null),
    memory_mb: z.int().min(64).max(10_000_000).nullable().default(null),
    pids: z.int().min(8).max(1_000_000).nullable().default(null),
  })
  .meta({ id: 'LimitsAsked' });

export const Limits = z.object({
  cpu: z.number().nullable(),
  memory_mb: z.number().nullable(),
  pids: z.int().nullable(),
});

const MB = 1024 ** 2;

/** As the hall counts them. */
export function limitsFrom({ cpu, memory_mb, pids }: z.output<typeof Limits>) {
  return { cpus: cpu, memoryBytes: memory_mb === null ? null : memory_mb * MB, pids };
}

export function limitsView({ cpus, memoryBytes, pids }: ReturnType<typeof limitsFrom>) {
  return { cpu: cpus, memory_mb: memoryBytes === null ? null : memoryBytes / MB, pids };
}

const limit = z.int().min(0).max(1_000_000);

const settings = {
  repo: text(1_000)
    .regex(REPO, 'must be github:owner/name, <forge>:owner/name, or file:path')
    .nullable(),
  max_workers: z.int().min(1).max(1_000),
  isolation: z.enum(ISOLATIONS).nullable(),
  merge_policy: z.enum(MERGE_POLICIES),
  default_size: SizeAsked,
  max_retries: limit,
  crash_requeues: limit,
  max_rounds: limit,
  approvers: z.array(Name).max(100),
  auto_approve: z.boolean(),
  budget_usd: z.number().min(0.01).max(100_000).nullable(),
  sources: z.array(SourceAsked).max(20),
  base: words(200).nullable(),
  setup: z.array(words(10_000)).max(50),
  copy: z.array(words(1_000)).max(100),
  checks: z.array(CheckAsked).max(20),
  ci: z.enum(CI_RULES),
  network: z.array(HostAsked).max(100),
  limits: LimitsAsked,
};

export const ProjectAsked = z
  .strictObject({
    name: Name,
    repo: settings.repo.default(null),
    max_workers: settings.max_workers.default(3),
    isolation: settings.isolation.default(null),
    merge_policy: settings.merge_policy.default('human'),
    default_size: settings.default_size.default('M'),
    max_retries: settings.max_retries.default(3),
    crash_requeues: settings.crash_requeues.default(3),
    max_rounds: settings.max_rounds.default(3),
    approvers: settings.approvers.default([]),
    auto_approve: settings.auto_approve.default(false),
    budget_usd: settings.budget_usd.default(null),
    sources: settings.sources.default([]),
    base: settings.base.default(null),
    setup: settings.setup.default([]),
    copy: settings.copy.default([]),
    checks: settings.checks.default([]),
    ci: settings.ci.default('required'),
    network: settings.network.default([]),
    limits: settings.limits.prefault({}),
  })
  .meta({ id: 'ProjectAsked' });

export const ProjectChange = z.strictObject(settings).partial().meta({ id: 'ProjectChange' });

export const Project = z
  .object({
    name: z.string(),
    repo: z.string().nullable(),
    max_workers: z.int(),
    isolation: z.enum(ISOLATIONS).nullable(),
    merge_policy: z.enum(MERGE_POLICIES),
    default_size: Size,
    max_retries: z.int(),
    crash_requeues: z.int(),
    max_rounds: z.int(),
    approvers: z.array(z.string()),
    auto_approve: z.boolean(),
    /** What one run may cost at the model, where that is less than its type allows. */
    budget_usd: z.number().nullable(),
    sources: z.array(z.looseObject({ kind: z.string() })),
    base: z.string().nullable(),
    setup: z.array(z.string()),
    copy: z.array(z.string()),
    checks: z.array(z.object({ name: z.string(), run: z.string() })),
    ci: z.enum(CI_RULES),
    network: z.array(z.string()),
    limits: Limits,
    /** The place in the configuration file that it belongs to, or null when the API made it. */
    declared: z.object({ file: z.string(), line: z.int() }).nullable(),
    paused: Pause.nullable(),
    added_at: Time,
    /** Runs that hold a slot. */
    running: z.int(),
    counts: Counts,
  })
  .meta({ id: 'Project' });

export const Projects = z.object({ projects: z.array(Project) });

export type Project = z.output<typeof Project>;
