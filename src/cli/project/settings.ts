import { resolve } from 'node:path';
import { camelCase, DEFAULT_SETTINGS } from '../../api/convert-settings.ts';
import type { OperationInput } from '../../api/operation.ts';
import {
  choicesOf,
  PROJECT_SETTINGS,
  type Setting,
  type SettingName,
} from '../../api/project-settings.ts';
import { SOURCE_KINDS } from '../../api/sources.ts';
import type { OptionSpec } from '../command.ts';
import { InvalidUsage } from '../invalid-usage.ts';
import { type ParsedInput, parseInput } from '../parsed-input.ts';

type Body = NonNullable<OperationInput<'changeProject'>['body']>;

/** The settings that have an option, by their name in the API. */
const OFFERED = Object.entries<Setting>(PROJECT_SETTINGS).flatMap(
  ([name, { description: about, option }]) =>
    option ? [{ name: name as SettingName, about, ...option }] : [],
);

const SETTINGS = OFFERED.map(({ name, flags, about, as }): OptionSpec & { name: SettingName } => {
  const choices = choicesOf(name);
  return {
    name,
    flags,
    about: name === 'sources' ? `${about}: ${SOURCE_KINDS.join(', ')}` : about,
    ...(choices && { choices }),
    ...(as === 'list' && { many: true }),
  };
});

export const ADDING_OPTIONS: readonly OptionSpec[] = SETTINGS.map(({ name, ...option }) => {
  const preset = DEFAULT_SETTINGS[name];
  const isPlain = typeof preset === 'string' || typeof preset === 'number';
  return isPlain ? { ...option, about: `${option.about} (default: ${preset})` } : option;
});

export const EDITING_OPTIONS: readonly OptionSpec[] = [
  ...SETTINGS,
  ...OFFERED.flatMap(({ name, cleared }) =>
    cleared === undefined ? [] : [{ flags: `--no-${name.replaceAll('_', '-')}`, about: cleared }],
  ),
];

/** The settings that were typed; the hall validates them. */
export function settingsIn(input: ParsedInput, cwd: string): Body {
  const typed = OFFERED.map(({ name, flags, as }) => [name, input[as](optionIn(flags))]);
  const repo = input.text('repo');
  return parseInput({
    ...Object.fromEntries(typed),
    repo: repo && absolute(repo, cwd),
    sources: sourcesIn(input),
  });
}

/** The hall may run in another folder than the one where the path is typed. */
function absolute(repo: string, cwd: string): string {
  const path = /^file:(.+)$/s.exec(repo)?.[1];
  return path === undefined ? repo : `file:${resolve(cwd, path)}`;
}

/** What `--no-…` puts back to its default. */
export function clearedIn(input: ParsedInput): Body {
  const cleared = OFFERED.filter(({ name }) => input.choice(camelCase(name)) === false);
  return Object.fromEntries(cleared.map(({ name }) => [name, DEFAULT_SETTINGS[name]]));
}

/** `maxWorkers` of `--max-workers <count>`. */
function optionIn(flags: string): string {
  const dashed = /--([\w-]+)/.exec(flags)?.[1] ?? flags;
  return camelCase(dashed.replaceAll('-', '_'));
}

/** `github-issues=ready,web` names labels, `spec-files=docs/specs` a folder. */
function sourcesIn(input: ParsedInput): Body['sources'] {
  return input.list('source')?.map((typed) => {
    const [name = '', ...rest] = typed.split('=');
    const kind = SOURCE_KINDS.find((each) => each === name);
    if (!kind) throw new InvalidUsage(`--source must be one of ${SOURCE_KINDS.join(', ')}`);
    return sourceOf(kind, rest.length === 0 ? undefined : rest.join('='));
  });
}

function sourceOf(kind: (typeof SOURCE_KINDS)[number], value: string | undefined) {
  if (value === undefined) return { kind };
  if (kind === 'api') throw new InvalidUsage('--source api takes no value');
  if (kind === 'spiral-grove' || kind === 'spec-files') return { kind, path: value };
  return { kind, filter: { labels: value.split(',').map((label) => label.trim()) } };
}
