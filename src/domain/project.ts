import type { Env } from './env.ts';
import type { Duration, Instant } from './ids.ts';
import type { Size } from './size.ts';
import type { GateMode } from './tool-policy/verdict.ts';

export const ISOLATIONS = ['sandbox', 'container', 'none'] as const;
export type Isolation = (typeof ISOLATIONS)[number];
export const CI_RULES = ['required', 'none'] as const;
export const MERGE_METHODS = ['merge', 'squash', 'rebase'] as const;
export type MergeMethod = (typeof MERGE_METHODS)[number];
export const MERGE_POLICIES = ['human', 'on-approval', 'force-at-max-rounds'] as const;

/** The settings that an operator chooses for a project. */
export interface ProjectSettings {
  readonly repo: string | null;
  readonly maxWorkers: number;
  readonly isolation: Isolation | null;
  readonly mergePolicy: (typeof MERGE_POLICIES)[number];
  readonly mergeMethod: MergeMethod;
  readonly defaultSize: Size;
  /** When a run is ended, by the size of its task; twice the target where it is not set. */
  readonly timeLimits: Readonly<Partial<Record<Size, Duration>>>;
  /** Three separate limits: failed checks in a row, crashes of a task, rounds of review. */
  readonly maxRetries: number;
  readonly crashRequeues: number;
  readonly maxRounds: number;
  readonly approvers: readonly string[];
  readonly autoApprove: boolean;
  /** Lowers the model cost that one run may reach; null leaves it to the type. */
  readonly budgetUsd: number | null;
  readonly sources: readonly Source[];
  /** The branch that work starts from and is merged into; null means the repository's default branch. */
  readonly base: string | null;
  /** Commands that run in a fresh workspace before the agent starts. */
  readonly setup: readonly string[];
  /** Ignored files that a workspace needs, copied from the folder of a local repository. */
  readonly copy: readonly string[];
  /** Commands that a branch must pass, where no forge runs checks. */
  readonly checks: readonly CheckCommand[];
  /** `none` lets a policy merge unchecked work. */
  readonly ci: (typeof CI_RULES)[number];
  /** How long a pushed commit waits for its first check on a forge. */
  readonly ciWait: Duration;
  /** Hosts that agents may reach; none by default. */
  readonly network: readonly string[];
  /** Plain variables for the programs of its runs and checks. */
  readonly env: Env;
  /** How the tool gate judges what it does not know; null leaves it to the isolation of the run. */
  readonly gate: GateMode | null;
  readonly limits: Limits;
}

/** For people: what it means to run without isolation; null where the project has it. */
export function isolationWarning({ isolation }: Pick<ProjectSettings, 'isolation'>): string | null {
  if (isolation !== 'none') return null;
  return "isolation is none: agents can read and do anything that the worker's account can";
}

export interface CheckCommand {
  readonly name: string;
  readonly run: string;
}

/** The resources that all programs of one run share; null means no limit set by the hall. */
export interface Limits {
  readonly cpus: number | null;
  readonly memoryBytes: number | null;
  readonly pids: number | null;
}

export const NO_LIMITS: Limits = { cpus: null, memoryBytes: null, pids: null };

/** The settings of a project whose operator sets none. */
export const DEFAULT_PROJECT_SETTINGS: ProjectSettings = {
  repo: null,
  maxWorkers: 3,
  isolation: null,
  mergePolicy: 'human',
  mergeMethod: 'merge',
  defaultSize: 'M',
  timeLimits: {},
  maxRetries: 3,
  crashRequeues: 3,
  maxRounds: 3,
  approvers: [],
  autoApprove: false,
  budgetUsd: null,
  sources: [],
  base: null,
  setup: [],
  copy: [],
  checks: [],
  ci: 'required',
  ciWait: 5 * 60_000,
  network: [],
  env: {},
  gate: null,
  limits: NO_LIMITS,
};

/** A project that was stored before a setting existed has its default. */
export function withProjectDefaults(project: Project): Project {
  return { ...project, settings: { ...DEFAULT_PROJECT_SETTINGS, ...project.settings } };
}

/** The name of the limit in the configuration. */
export function nameOfLimit(limit: keyof Limits): string {
  return { cpus: 'cpu', memoryBytes: 'memory', pids: 'pids' }[limit];
}

/** The stricter of two limits, for each resource. */
export function stricterLimits(a: Limits, b: Limits): Limits {
  const least = (x: number | null, y: number | null) =>
    x === null || y === null ? (x ?? y) : Math.min(x, y);
  return {
    cpus: least(a.cpus, b.cpus),
    memoryBytes: least(a.memoryBytes, b.memoryBytes),
    pids: least(a.pids, b.pids),
  };
}

interface Source {
  readonly kind: string;
  readonly [setting: string]: unknown;
}

/** Where the configuration file declares something, so a refusal can name the line. */
export interface Declared {
  readonly file: string;
  readonly line: number;
}

export interface Pause {
  readonly since: Instant;
  readonly by: string;
  readonly because: string | null;
}

export interface Project {
  readonly name: string;
  readonly settings: ProjectSettings;
  readonly declared: Declared | null;
  readonly paused: Pause | null;
  readonly addedAt: Instant;
}

/** The repository is on this disk and has no forge: its pull requests live on the board. */
export function isLocal({
  settings,
}: {
  readonly settings: Pick<ProjectSettings, 'repo'>;
}): boolean {
  return localPath(settings.repo) !== undefined;
}

/** The path of a repository on this disk; undefined for one on a forge. */
export function localPath(repo: string | null): string | undefined {
  return /^file:(.+)$/s.exec(repo ?? '')?.[1];
}

/** What the hall knows of a project's past without reading it again. */
export interface Tally {
  readonly completed: number;
  readonly failed: number;
  readonly rejected: number;
  readonly cancelled: number;
  readonly rejections: Readonly<Record<string, number>>;
  readonly forcedMerges?: number | undefined;
  /** Checks that failed and then passed on the same commit, the last ones seen. */
  readonly flakyChecks?: readonly string[] | undefined;
}

export const NO_TALLY: Tally = {
  completed: 0,
  failed: 0,
  rejected: 0,
  cancelled: 0,
  rejections: {},
};
