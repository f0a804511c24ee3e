import { SYSTEM_NAMES } from '../agent-name.ts';
import type { Board } from '../board.ts';

/** A label of the hall, as it should be in every repository. */
export interface HallLabel {
  readonly name: string;
  /** Six hex digits. */
  readonly color: string;
  readonly description: string;
}

/** A label that a repository has. */
export interface RepositoryLabel extends HallLabel {
  /** By which the forge knows it. */
  readonly id: string;
}

const SYSTEM_LABELS: Readonly<Record<string, Omit<HallLabel, 'name'>>> = {
  'dispatch-automaton': { color: '5319e7', description: 'Set it to let the hall choose an agent' },
  'awaiting-input': { color: 'fbca04', description: 'An agent waits for an answer in a comment' },
  queued: { color: 'c5def5', description: 'The hall has work here that has not started yet' },
  'invoker-queued': { color: 'c5def5', description: 'Waits until someone can pay for the model' },
  advise: { color: '0e8a16', description: 'Set it to get advice in a comment, without a change' },
  research: { color: '0e8a16', description: 'Set it to have a question researched in a comment' },
  'post-mortem': { color: 'd93f0b', description: 'Set it to have what went wrong examined' },
};

/** The labels of the hall itself, and one for each agent that a task can ask for. */
export function labelSet(board: Board): readonly HallLabel[] {
  const system = SYSTEM_NAMES.map((name) => ({
    name: `hall:${name}`,
    ...(SYSTEM_LABELS[name] ?? { color: 'c5def5', description: '' }),
  }));
  return [...system, ...agentNames(board).map(agentLabel)];
}

function agentNames({ personas, instances, types }: Board): readonly string[] {
  const names = new Set([
    ...[...personas.values()].filter(({ retired }) => !retired).map(({ slug }) => slug),
    ...[...instances.values()].filter(({ settings }) => settings.enabled).map(({ name }) => name),
    ...types.keys(),
  ]);
  return [...names].sort();
}

function agentLabel(name: string): HallLabel {
  return { name: `hall:${name}`, color: '5319e7', description: `Set it to start ${name}` };
}

interface LabelChanges {
  readonly create: readonly HallLabel[];
  /** Labels that a person renamed in case, recoloured or described otherwise. */
  readonly edit: readonly { readonly id: string; readonly label: HallLabel }[];
}

/**
 * What brings the labels of a repository in line. Names are compared without case: a second label of the same name
 * is not refused everywhere, and asking for the name would then set both.
 */
export function labelChanges(
  found: readonly RepositoryLabel[],
  wanted: readonly HallLabel[],
): LabelChanges {
  const named = (name: string) =>
    found.find((label) => label.name.toLowerCase() === name.toLowerCase());
  return {
    create: wanted.filter(({ name }) => !named(name)),
    edit: wanted.flatMap((label) => {
      const there = named(label.name);
      return there && !isSame(there, label) ? [{ id: there.id, label }] : [];
    }),
  };
}

function isSame(a: HallLabel, b: HallLabel): boolean {
  const isColored = a.color.toLowerCase() === b.color.toLowerCase();
  return a.name === b.name && isColored && a.description === b.description;
}
