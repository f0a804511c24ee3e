import type { Env } from './env.ts';
import type { Duration, Instant } from './ids.ts';
import { type Declared, type Limits, NO_LIMITS, type Pause } from './project.ts';

/** The defaults that a kind of agent shares. */
export interface AgentType {
  readonly name: string;
  readonly settings: TypeSettings;
  readonly declared: Declared | null;
}

export interface TypeSettings {
  readonly git: { readonly name: string; readonly email: string };
  readonly model: string;
  readonly forgeUser: string | null;
  readonly tokenPath: string | null;
  readonly gpgKey: string | null;
  readonly branchPrefix: string | null;
  readonly image: string | null;
  readonly persona: string | null;
  /** How long a labelled task waits for its specialists before instances without labels may take it. */
  readonly labelWait: Duration | null;
  /** The number of model turns in one run. */
  readonly maxTurns: number;
  readonly limits: Limits;
  /** Of the hosts of a project, those that its agents may reach; null means all of them. */
  readonly network: readonly string[] | null;
  /** Plain variables for the programs of its runs; those of the project come first. */
  readonly env: Env;
  /** Variables of its command that hold secrets, each with the reference `$NAME`; the values are never on the board. */
  readonly secretEnv: Env;
  /** What runs the agent: the Agent SDK, or a command that gets the prompt. */
  readonly backend: Backend;
  /** The model cost that one run may reach. */
  readonly budgetUsd: number;
  /** False for a command that makes no model calls through the hall: its runs need no invoker. */
  readonly needsModel: boolean;
}

/** The type settings that an operator may leave out. */
export const DEFAULT_TYPE_SETTINGS: Omit<TypeSettings, 'git' | 'model'> = {
  forgeUser: null,
  tokenPath: null,
  gpgKey: null,
  branchPrefix: null,
  image: null,
  persona: null,
  labelWait: null,
  // Enough for an agent's whole task, few enough to stop one that goes in circles.
  maxTurns: 100,
  budgetUsd: 5,
  limits: NO_LIMITS,
  network: null,
  env: {},
  secretEnv: {},
  backend: { kind: 'claude' },
  needsModel: true,
};

/** A type that was stored before a setting existed has its default. */
export function withTypeDefaults(type: AgentType): AgentType {
  return { ...type, settings: { ...DEFAULT_TYPE_SETTINGS, ...type.settings } };
}

/** For people: which secrets its agents can read; null where they get none. */
export function secretsWarning({ network, secretEnv }: TypeSettings): string | null {
  const names = Object.keys(secretEnv);
  if (names.length === 0) return null;
  const hosts = (network ?? []).join(', ') || 'none';
  return `its agents can read the secrets in secret_env (${names.join(', ')}) and send them to the hosts that they reach (${hosts})`;
}

export type Backend =
  | { readonly kind: 'claude' }
  | { readonly kind: 'command'; readonly argv: readonly string[] };

/** One member of the pool. */
export interface Instance {
  readonly name: string;
  readonly type: string;
  readonly settings: InstanceSettings;
  readonly paused: Pause | null;
  readonly addedAt: Instant;
  readonly changedAt: Instant;
}

export interface InstanceSettings {
  readonly model: string | null;
  readonly promptAppendix: string | null;
  readonly matchLabels: readonly string[];
  readonly notes: string | null;
  readonly enabled: boolean;
  /** The projects it may work in; null means all. */
  readonly projects: readonly string[] | null;
  /** Concurrent runs; 0 means no limit besides those of the projects. */
  readonly parallel: number;
}

/** The instance of a type that a new pool has. */
export function defaultInstance(type: string): string {
  return `${type}-default`;
}

export const DEFAULT_INSTANCE_SETTINGS: InstanceSettings = {
  model: null,
  promptAppendix: null,
  matchLabels: [],
  notes: null,
  enabled: true,
  projects: null,
  parallel: 1,
};

/** For people: that nothing judges the commands of agents of these types; null where all are judged. */
export function gateWarning(types: readonly AgentType[]): string | null {
  const ungated = types.filter(({ settings }) => settings.backend.kind === 'command');
  if (ungated.length === 0) return null;
  const names = ungated.map(({ name }) => name).join(', ');
  return `agents of type ${names} are not gated: their command runs programs without the tool gate or an approval`;
}

export function allowedIn(instance: Instance, project: string): boolean {
  const { projects } = instance.settings;
  return projects === null || projects.includes(project);
}
