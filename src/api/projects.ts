import { z } from 'zod';
import { USUAL_SETTINGS } from './convert-settings.ts';
import {
  type SchemaOf,
  SETTINGS_SHOWN,
  SETTINGS_TAKEN,
  type SettingName,
  settingsShape,
} from './project-settings.ts';
import { Counts, Name, Pause, Time } from './words.ts';

const settings = settingsShape(({ schema }, name) => schema.default(USUAL_SETTINGS[name])) as {
  [K in SettingName]: z.ZodDefault<SchemaOf<K>>;
};

export const ProjectAsked = z
  .strictObject({ name: Name, ...settings })
  .meta({ id: 'ProjectAsked' });

export const ProjectChange = z.strictObject(SETTINGS_TAKEN).partial().meta({ id: 'ProjectChange' });

export const Project = z
  .object({
    name: z.string(),
    ...SETTINGS_SHOWN,
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
