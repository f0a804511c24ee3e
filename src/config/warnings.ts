import type { Declaration } from '../domain/apply-config.ts';
import { lacksApprovers } from '../domain/merging/policy.ts';
import { reachableHosts } from '../domain/network.ts';
import { operatorCommand } from '../domain/operator-command.ts';
import { gateWarning, secretsWarning } from '../domain/pool.ts';
import { isolationWarning, localPath } from '../domain/project.ts';
import { defaultType } from '../domain/skill.ts';
import {
  type ConfiguredSource,
  readsFiles,
  readsIssues,
  sourcesOf,
} from '../domain/sources/configured.ts';
import { checkedOutBranch } from './checked-out-branch.ts';
import type { HallSettings } from './config.ts';
import type { ConfigFile } from './schema.ts';
import { BUILT_IN_NAMES } from './to-declaration.ts';
import { isLoopback } from './units.ts';

interface Meaning {
  readonly hall: HallSettings;
  readonly declaration: Declaration;
}

/** Settings that are allowed but may be a mistake. */
export function warningsOf(file: ConfigFile, { hall, declaration }: Meaning): readonly string[] {
  return [
    ...addressWarnings(file, hall),
    ...typesWarnings(file),
    ...sourceWarnings(declaration),
    ...baseWarnings(declaration),
    ...approvalWarnings(declaration),
    ...isolationWarnings(declaration),
    ...networkWarnings(declaration),
    ...secretsWarnings(declaration),
    ...gateWarnings(declaration),
  ];
}

function addressWarnings({ hall: { listen } }: ConfigFile, hall: HallSettings): readonly string[] {
  if (isLoopback(hall.listen.host)) return [];
  const open = 'hall.auth.mode none: everyone who can reach the address has full access';
  return [
    `hall.listen ${listen} can be reached from other machines over plain HTTP, which exposes tokens: put a TLS proxy in front of it`,
    ...(hall.auth.mode === 'none' ? [open] : []),
  ];
}

function typesWarnings({ types }: ConfigFile): readonly string[] {
  const absent = types ? BUILT_IN_NAMES.filter((name) => !(name in types)) : [];
  if (absent.length === 0) return [];
  const list = absent.join(', ');
  return [
    `types has no ${list}: tasks whose skill requires it will wait, unless they name another type`,
  ];
}

/** Sources that nobody reads where the project is. */
function sourceWarnings({ projects }: Declaration): readonly string[] {
  return projects.flatMap((project, at) => {
    const { repo } = project.settings;
    const isOnForge = repo !== null && localPath(repo) === undefined;
    return sourcesOf(project).flatMap((source, place) => {
      const needs = lackOf(source, { hasRepository: repo !== null, isOnForge });
      return needs === null ? [] : [`projects[${at}].sources[${place}]: ${source.kind} ${needs}`];
    });
  });
}

interface Place {
  readonly hasRepository: boolean;
  readonly isOnForge: boolean;
}

function lackOf(source: ConfiguredSource, { hasRepository, isOnForge }: Place): string | null {
  if (readsIssues(source) && !isOnForge) {
    return 'is not read: it needs a project whose repo is on a connected forge';
  }
  return readsFiles(source) && !hasRepository ? 'is not read: its project has no repo' : null;
}

function baseWarnings({ projects }: Declaration): readonly string[] {
  return projects.flatMap(({ settings: { repo, base } }, at) => {
    const folder = localPath(repo);
    const branch = folder === undefined ? undefined : checkedOutBranch(folder);
    if (branch === undefined || (base !== null && base !== branch)) return [];
    const chosen = base === null ? 'no base is set, so ' : '';
    return [
      `projects[${at}].repo: ${folder} is not a bare repository; ${chosen}work starts from ${branch}, which is checked out there, and git refuses to merge into it: use a bare clone (git clone --bare), or set base and check out another branch`,
    ];
  });
}

function approvalWarnings({ projects, types }: Declaration): readonly string[] {
  const hasReviewer = types.some(({ name }) => name === defaultType('review'));
  return projects.flatMap(({ name, settings }, at) => {
    const lack = lacksApprovers(settings, hasReviewer);
    if (lack === null) return [];
    return [
      `projects[${at}].merge_policy: ${settings.mergePolicy} waits for an approval in ${name}, and ${lack}, or approve each pull request yourself with: ${operatorCommand('thread review')}`,
    ];
  });
}

function gateWarnings({ types }: Declaration): readonly string[] {
  return types.flatMap((type) => {
    const lack = gateWarning([type]);
    return lack === null ? [] : [`types.${type.name}.command: ${lack}`];
  });
}

function isolationWarnings({ projects }: Declaration): readonly string[] {
  return projects.flatMap(({ name, settings }, at) => {
    const lack = isolationWarning(settings);
    if (lack === null) return [];
    const gate = `projects[${at}].gate: sandboxed has no effect in ${name}: without isolation the tool gate is strict`;
    return [
      `projects[${at}].isolation: in ${name} ${lack}`,
      ...(settings.gate === 'sandboxed' ? [gate] : []),
    ];
  });
}

/** A type cannot open a host that no project allows, which is easy to expect. */
function networkWarnings({ projects, types }: Declaration): readonly string[] {
  return types.flatMap(({ name, settings: { network } }) => {
    if (network === null || network.length === 0 || projects.length === 0) return [];
    if (projects.some(({ settings }) => reachableHosts(settings.network, network).length > 0))
      return [];
    return [
      `types.${name}.network: no project allows any of these hosts, so its agents reach none; list them under network of the project too`,
    ];
  });
}

function secretsWarnings({ types }: Declaration): readonly string[] {
  return types.flatMap(({ name, settings }) => {
    const warning = secretsWarning(settings);
    return warning === null ? [] : [`types.${name}.secret_env: ${warning}`];
  });
}
