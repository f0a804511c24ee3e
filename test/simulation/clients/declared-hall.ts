import type { Declaration } from '../../../src/domain/apply-config.ts';
import type { Instance, InstanceSettings } from '../../../src/domain/pool.ts';
import { DEFAULT_INSTANCE_SETTINGS } from '../../../src/domain/pool.ts';
import type { ProjectSettings } from '../../../src/domain/project.ts';
import { PERSONA_SETTINGS, SETTINGS, TYPE_SETTINGS } from '../../support/board-fixture.ts';

/** The setup of a scenario before its story begins. */
export interface HallShape {
  readonly projects: Readonly<Record<string, Partial<ProjectSettings>>>;
  readonly invokers: Readonly<Record<string, number>>;
  /** Instances besides the one of each type that a fresh hall seeds. */
  readonly instances: Readonly<Record<string, Partial<InstanceSettings> & { type: string }>>;
  readonly labels: readonly string[];
  /** How likely a posted task depends on others, and has a parent. */
  readonly kin: { readonly depends: number; readonly hasParent: number };
  readonly labelWait: number | null;
}

export const TYPES = ['boss', 'dev', 'reviewer'] as const;

/** Its entry leaves the catalog while a project has left the file. */
export const PERSONA = 'hamlet';

const FILE = { file: 'guildhall.yaml', line: 1 };

/** The configuration file of the simulated hall, which operators edit while it runs. */
export class DeclaredHall {
  readonly staging: HallShape;
  readonly #capacity = new Map<string, number>();
  readonly #caps = new Map<string, number>();
  readonly #left = new Set<string>();

  constructor(staging: HallShape) {
    this.staging = staging;
  }

  get declaration(): Declaration {
    const { projects, invokers, labelWait } = this.staging;
    return {
      projects: Object.entries(projects)
        .filter(([name]) => !this.#left.has(name))
        .map(([name, settings]) => ({
          name,
          settings: {
            ...SETTINGS,
            ...settings,
            maxWorkers: this.#capacity.get(name) ?? settings.maxWorkers ?? SETTINGS.maxWorkers,
          },
          declared: FILE,
        })),
      types: TYPES.map((name) => ({
        name,
        settings: { ...TYPE_SETTINGS, labelWait: name === 'dev' ? labelWait : null },
        declared: FILE,
      })),
      forges: [],
      invokers: Object.entries(invokers).map(([name, weeklyCap]) => ({
        name,
        settings: { weeklyCap: this.#caps.get(name) ?? weeklyCap, projects: null },
        declared: FILE,
      })),
      personas:
        this.#left.size > 0 ? [] : [{ name: PERSONA, settings: PERSONA_SETTINGS, declared: FILE }],
    };
  }

  setCapacity(project: string, maxWorkers: number): void {
    this.#capacity.set(project, maxWorkers);
  }

  setCap(invoker: string, weeklyCap: number): void {
    this.#caps.set(invoker, weeklyCap);
  }

  /** Takes a project out of the file, or puts it back. */
  toggle(project: string): void {
    if (!this.#left.delete(project)) this.#left.add(project);
  }

  restore(): void {
    this.#left.clear();
  }

  instances(at: number): readonly Instance[] {
    return Object.entries(this.staging.instances).map(([name, { type, ...settings }]) => ({
      name,
      type,
      settings: { ...DEFAULT_INSTANCE_SETTINGS, ...settings },
      paused: null,
      addedAt: at,
      changedAt: at,
    }));
  }
}
