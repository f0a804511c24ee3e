import { DEFAULT_INSTANCE_SETTINGS, type Instance } from '../../src/domain/pool.ts';
import { payload } from '../drivers/payload.ts';

/**
 * The measured board: several projects that take turns, a limit of workers in each, and a pool in which one
 * member is preferred for some labels, so that every rule of a claim applies.
 */
export const PROJECTS = ['bakery', 'library', 'observatory', 'workshop'] as const;

/** A project whose tasks wait for its own slots and block nothing else. */
export const FULL_PROJECT = 'warehouse';

/** Slots of the full project; a worker holds each of them for as long as it is full. */
export const FULL_SLOTS = 4;

export const SPECIALITY = 'database';

export const GENERALISTS = ['ada', 'bo'] as const;
export const SPECIALIST = 'codd';

/** An instance without workers, so that tasks for it are never claimed. */
export const IDLE = 'idle';

/** One task in four has the label of the specialist. */
const LABELLED_EVERY = 4;

export interface PostedTask {
  readonly project: string;
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
}

export function postedTask(n: number): PostedTask {
  const project = PROJECTS[n % PROJECTS.length] ?? PROJECTS[0];
  return { project, labels: labelsOf(n), ...payload(n) };
}

function labelsOf(n: number): readonly string[] {
  const isLabelled = Math.floor(n / PROJECTS.length) % LABELLED_EVERY === LABELLED_EVERY - 1;
  return isLabelled ? [SPECIALITY] : [];
}

/** The instance of a worker by its number: as many specialists as there is work for them. */
export function instanceOf(worker: number): string {
  if (worker % LABELLED_EVERY === LABELLED_EVERY - 1) return SPECIALIST;
  return GENERALISTS[worker % GENERALISTS.length] ?? GENERALISTS[0];
}

/** Enough slots for the workers, and few enough that a project is full now and then. */
export function slotsFor(inFlight: number): number {
  return Math.ceil(inFlight / PROJECTS.length) + 2;
}

export function instances(at: number): readonly Instance[] {
  const member = (name: string, matchLabels: readonly string[]): Instance => ({
    name,
    type: 'dev',
    settings: { ...DEFAULT_INSTANCE_SETTINGS, matchLabels, parallel: 1_000 },
    paused: null,
    addedAt: at,
    changedAt: at,
  });
  return [
    ...GENERALISTS.map((name) => member(name, [])),
    member(SPECIALIST, [SPECIALITY]),
    member(IDLE, []),
  ];
}
