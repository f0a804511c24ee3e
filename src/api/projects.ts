import { z } from 'zod';
import { DEFAULT_SETTINGS } from './convert-settings.ts';
import { Counts, Declared, Name, Pause, Time } from './fields.ts';
import {
  type SchemaOf,
  SETTINGS_INPUT,
  SETTINGS_OUTPUT,
  type SettingName,
  settingsShape,
} from './project-settings.ts';

const settings = settingsShape(({ input: schema }, name) =>
  schema.default(DEFAULT_SETTINGS[name]),
) as {
  [K in SettingName]: z.ZodDefault<SchemaOf<K>>;
};

export const CreateProject = z
  .strictObject({ name: Name, ...settings })
  .meta({ id: 'CreateProject' });

export const UpdateProject = z.strictObject(SETTINGS_INPUT).partial().meta({ id: 'UpdateProject' });

export const Project = z
  .object({
    name: z.string(),
    ...SETTINGS_OUTPUT,
    /** Where the configuration file declares it, or null when it was created over the API. */
    declared: Declared.nullable(),
    paused: Pause.nullable(),
    added_at: Time,
    /** Runs that hold a slot. */
    running: z.int(),
    counts: Counts,
  })
  .meta({ id: 'Project' });

export const Projects = z.object({ projects: z.array(Project) });

export type Project = z.output<typeof Project>;
