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
import { unpolledSources } from '../../config/unpolled-sources.ts';
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

function sourcesIn(input: ParsedInput): { kind: (typeof SOURCE_KINDS)[number] }[] | undefined {
  return input.list('source')?.map((kind) => {
    const known = SOURCE_KINDS.find((each) => each === kind);
    if (!known) throw new InvalidUsage(`--source must be one of ${SOURCE_KINDS.join(', ')}`);
    return { kind: known };
  });
}

/** A warning about the sources that were typed, if they need one. */
export function sourcesWarning(input: ParsedInput): string | undefined {
  return unpolledSources(sourcesIn(input) ?? []);
}
