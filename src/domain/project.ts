import type { Instant } from './ids.ts';
import type { Size } from './size.ts';

export const ISOLATIONS = ['sandbox', 'container', 'none'] as const;
export type Isolation = (typeof ISOLATIONS)[number];
export const MERGE_POLICIES = ['human', 'on-approval', 'force-at-max-rounds'] as const;

/** What an operator decides about a project. */
export interface ProjectSettings {
  readonly repo: string | null;
  readonly maxWorkers: number;
  readonly isolation: Isolation | null;
  readonly mergePolicy: (typeof MERGE_POLICIES)[number];
  readonly defaultSize: Size;
  /** CI failures in a row, crashes of a task, rounds of review: three limits that are never mixed. */
  readonly maxRetries: number;
  readonly crashRequeues: number;
  readonly maxRounds: number;
  readonly approvers: readonly string[];
  readonly autoApprove: boolean;
  /** Lowers what one run of its tasks may cost at the model; none leaves it to the type. */
  readonly budgetUsd?: number | null;
  readonly sources: readonly Source[];
}

export interface Source {
  readonly kind: string;
  readonly [setting: string]: unknown;
}

/** Where the configuration file declares something, so that a refusal can name the line. */
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

/** Closed tasks of a project, kept so that they need not be counted. */
export interface Tally {
  readonly completed: number;
  readonly failed: number;
  readonly rejected: number;
  readonly cancelled: number;
  readonly rejections: Readonly<Record<string, number>>;
}

export const NO_TALLY: Tally = {
  completed: 0,
  failed: 0,
  rejected: 0,
  cancelled: 0,
  rejections: {},
};
