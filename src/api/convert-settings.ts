import type { z } from 'zod';
import { DEFAULT_PROJECT_SETTINGS } from '../domain/project.ts';
import { durationIn, spellDuration, timeLimitsFrom, timeLimitsView } from './duration.ts';
import { limitsFrom, limitsView } from './limits.ts';
import {
  PROJECT_SETTINGS,
  type SETTINGS_INPUT,
  type SETTINGS_OUTPUT,
  type SettingName,
} from './project-settings.ts';

type InputSettings = z.output<z.ZodObject<typeof SETTINGS_INPUT>>;
type OutputSettings = z.output<z.ZodObject<typeof SETTINGS_OUTPUT>>;

/** API settings as the board stores them: names in camel case, limits and times in the board's units. */
type OnBoard<T> = {
  readonly [K in keyof T as Camel<K>]: K extends 'limits'
    ? Readonly<ReturnType<typeof limitsFrom>>
    : K extends 'time_limits'
      ? ReturnType<typeof timeLimitsFrom>
      : K extends 'ci_wait'
        ? number
        : Frozen<Exclude<T[K], undefined>>;
};
type Camel<S> = S extends `${infer A}_${infer B}` ? `${A}${Capitalize<Camel<B>>}` : S;
type Frozen<T> = T extends readonly (infer E)[]
  ? readonly Frozen<E>[]
  : T extends object
    ? { readonly [K in keyof T]: Frozen<T[K]> }
    : T;

export function settingsFrom<
  T extends { readonly [K in SettingName]?: InputSettings[K] | undefined },
>(settings: T): OnBoard<T> {
  const converted = {
    ...settings,
    ...(settings.limits && { limits: limitsFrom(settings.limits) }),
    ...(settings.time_limits && { time_limits: timeLimitsFrom(settings.time_limits) }),
    ...(settings.ci_wait !== undefined && { ci_wait: durationIn(settings.ci_wait) }),
  };
  const defined = Object.entries(converted).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined.map(([name, value]) => [camelCase(name), value])) as OnBoard<T>;
}

export function settingsView(settings: OnBoard<OutputSettings>): OutputSettings {
  // A project that an older version stored lacks the settings that came later.
  const known = { ...DEFAULT_PROJECT_SETTINGS, ...settings };
  const converted = {
    ...known,
    limits: limitsView(known.limits),
    timeLimits: timeLimitsView(known.timeLimits),
    ciWait: spellDuration(known.ciWait),
  };
  const entries = Object.keys(PROJECT_SETTINGS).map((name) => [
    name,
    Reflect.get(converted, camelCase(name)),
  ]);
  return Object.fromEntries(entries) as OutputSettings;
}

/** The default settings of a project, in API form. */
export const DEFAULT_SETTINGS = settingsView(DEFAULT_PROJECT_SETTINGS);

export function camelCase(name: string): string {
  return name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}
