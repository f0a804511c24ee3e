import { resolve } from 'node:path';
import { settingsFrom } from '../api/convert-settings.ts';
import { durationIn } from '../api/duration.ts';
import { limitsFrom } from '../api/limits.ts';
import type { Declaration, Entry } from '../domain/apply-config.ts';
import { DEFAULT_TYPE_SETTINGS, type TypeSettings } from '../domain/pool.ts';
import { type Declared, localPath, type ProjectSettings } from '../domain/project.ts';
import type { InvokerSettings } from '../domain/quota.ts';
import { withAbsoluteCaFiles } from './ca-variables.ts';
import type { Path } from './mistake.ts';
import type { AgentTypeEntry, ConfigFile, InvokerEntry, ProjectEntry } from './schema.ts';

interface Origin {
  readonly declaredAt: (path: Path) => Declared;
  /** What paths in the file are relative to. */
  readonly folder: string;
}

/** The declarations of the file, each with its line. */
export function toDeclaration(
  file: ConfigFile,
  { declaredAt, folder }: Origin,
): Omit<Declaration, 'personas'> {
  return {
    projects: file.projects.map((project, at) => ({
      name: project.name,
      settings: projectSettings(project, folder),
      declared: declaredAt(['projects', at]),
    })),
    types: file.types ? declaredTypes(file.types, { declaredAt, folder }) : BUILT_IN_TYPES,
    forges: Object.entries(file.forges).flatMap(([name, forge]) =>
      forge === undefined ? [] : [{ name, kind: forge.kind, url: forge.url }],
    ),
    invokers: file.invokers.map((invoker, at) => ({
      name: invoker.handle,
      settings: invokerSettings(invoker),
      declared: declaredAt(['invokers', at]),
    })),
  };
}

function projectSettings({ name: _, ...entry }: ProjectEntry, folder: string): ProjectSettings {
  const settings = settingsFrom(entry);
  return {
    ...settings,
    repo: settings.repo === null ? null : repoFrom(settings.repo, folder),
    env: withAbsoluteCaFiles(settings.env, folder),
  };
}

function repoFrom(repo: string, folder: string): string {
  const path = localPath(repo);
  return path === undefined ? repo : `file:${resolve(folder, path)}`;
}

function declaredTypes(
  types: Readonly<Record<string, AgentTypeEntry>>,
  { declaredAt, folder }: Origin,
): readonly Entry<TypeSettings>[] {
  return Object.entries(types).map(([name, type]) => ({
    name,
    settings: typeSettings(type, folder),
    declared: declaredAt(['types', name]),
  }));
}

function typeSettings(type: AgentTypeEntry, folder: string): TypeSettings {
  return {
    git: type.git,
    model: type.model,
    forgeUser: type.forge_user,
    tokenPath: type.token_path,
    gpgKey: type.gpg_key,
    branchPrefix: type.branch_prefix,
    image: type.image,
    persona: type.persona,
    labelWait: type.label_wait === null ? null : (durationIn(type.label_wait) ?? null),
    maxTurns: type.max_turns,
    limits: limitsFrom(type.limits),
    network: type.network,
    env: withAbsoluteCaFiles(type.env, folder),
    secretEnv: type.secret_env,
    backend: type.command ? { kind: 'command', argv: type.command } : { kind: 'claude' },
    budgetUsd: type.budget_usd,
    needsModel: type.needs_model,
  };
}

function invokerSettings({ weekly_cap, projects }: InvokerEntry): InvokerSettings {
  return { weeklyCap: weekly_cap, projects };
}

/** `.invalid` never resolves, so the commit address belongs to no one. */
function builtIn(name: string, model: string, persona: string | null): Entry<TypeSettings> {
  const settings: TypeSettings = {
    ...DEFAULT_TYPE_SETTINGS,
    git: { name: `Guildhall ${name}`, email: `${name}@guildhall.invalid` },
    model,
    persona,
  };
  return { name, settings, declared: null };
}

/** The types of a hall whose file declares none. */
const BUILT_IN_TYPES: readonly Entry<TypeSettings>[] = [
  builtIn('boss', 'claude-opus-4-7', 'old-major'),
  builtIn('dev', 'claude-sonnet-4-6', null),
  builtIn('reviewer', 'claude-opus-4-7', null),
];

export const BUILT_IN_NAMES = BUILT_IN_TYPES.map(({ name }) => name);
