import type { Declaration } from '../../src/domain/apply-config.ts';
import { DEFAULT_TYPE_SETTINGS, type TypeSettings } from '../../src/domain/pool.ts';
import { DEFAULT_PROJECT_SETTINGS, type ProjectSettings } from '../../src/domain/project.ts';
import { FULL_PROJECT, FULL_SLOTS, PROJECTS } from './workload.ts';

const DEV: TypeSettings = {
  ...DEFAULT_TYPE_SETTINGS,
  git: { name: 'Dev', email: 'dev@guildhall.invalid' },
  model: 'scripted',
};

const PROJECT: ProjectSettings = { ...DEFAULT_PROJECT_SETTINGS, maxWorkers: 1_000 };

/** The invoker of workers without their own model. */
export const INVOKERS = ['marie', 'otto'] as const;
export const WEEKLY_CAP = 1_000_000;

/** The declaration that the generator uses: the same names as in the hall's file, without its limits. */
export function declaration(): Declaration {
  const declared = { file: 'bench', line: 1 };
  const project = (name: string, maxWorkers: number) => ({
    name,
    settings: { ...PROJECT, maxWorkers },
    declared,
  });
  return {
    types: [{ name: 'dev', settings: DEV, declared }],
    projects: [
      ...PROJECTS.map((name) => project(name, PROJECT.maxWorkers)),
      project(FULL_PROJECT, FULL_SLOTS),
    ],
    forges: [],
    invokers: INVOKERS.map((name) => ({
      name,
      settings: { weeklyCap: WEEKLY_CAP, projects: null },
      declared,
    })),
    personas: [],
  };
}

/** The configuration file of a hall under test. JSON is YAML too. */
export function configFile(hall: HallFile): string {
  const project = (name: string, max_workers: number) => ({ name, max_workers });
  return JSON.stringify(
    {
      hall: {
        data: hall.data,
        listen: `127.0.0.1:${hall.port}`,
        store: hall.store,
        auth: { mode: 'local' },
      },
      types: { dev: { git: DEV.git, model: DEV.model } },
      invokers: INVOKERS.map((handle) => ({
        handle,
        credential: '$BENCH_CREDENTIAL',
        weekly_cap: WEEKLY_CAP,
      })),
      projects: [
        ...PROJECTS.map((name) => project(name, hall.slots)),
        project(FULL_PROJECT, FULL_SLOTS),
      ],
    },
    null,
    2,
  );
}

export interface HallFile {
  readonly data: string;
  readonly port: number;
  /** `sqlite`, or the address of a database. */
  readonly store: string;
  readonly slots: number;
}
