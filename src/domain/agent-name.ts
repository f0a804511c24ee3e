import type { Board } from './board.ts';
import { operatorCommand } from './operator-command.ts';

/** Who may take a task, and the slug that it runs under. */
export interface Assignee {
  readonly type: string;
  readonly instance: string | null;
  readonly agent: string;
}

/** Looks a name up among the instances first, then the personas, then the types. */
export function resolveAgentName(board: Board, name: string): Assignee | undefined {
  const instance = board.instances.get(name);
  if (instance) return { type: instance.type, instance: name, agent: name };
  const persona = board.personas.get(name);
  if (persona && !persona.retired) {
    return { type: persona.settings.type, instance: null, agent: name };
  }
  return board.types.has(name) ? anyOfType(board, name) : undefined;
}

/** A task that names no agent runs under the persona of its type, or under the type's own name. */
export function anyOfType(board: Board, type: string): Assignee {
  const persona = board.types.get(type)?.settings.persona ?? null;
  return { type, instance: null, agent: persona ?? type };
}

/** The type that continues the work of a thread bound to a slug; undefined when there is none any more. */
export function typeBoundTo(board: Board, slug: string): string | undefined {
  const named = board.instances.get(slug)?.type ?? board.personas.get(slug)?.settings.type;
  if (named !== undefined && board.types.has(named)) return named;
  if (board.types.has(slug)) return slug;
  return [...board.types.values()].find(({ settings }) => settings.persona === slug)?.name;
}

const PREFIX = 'hall:';

/** Labels of the hall that say how a thread stands. They are never the names of agents. */
export const SYSTEM_NAMES: readonly string[] = [
  'dispatch-automaton',
  'awaiting-input',
  'queued',
  'invoker-queued',
  'post-mortem',
  'advise',
  'research',
];

export function isHallLabel(label: string): boolean {
  return label.startsWith(PREFIX);
}

/** The name of the agent that a label such as `hall:hamlet` asks for. */
export function agentInLabel(label: string): string | undefined {
  if (!isHallLabel(label)) return undefined;
  const name = label.slice(PREFIX.length);
  return SYSTEM_NAMES.includes(name) ? undefined : name;
}

/** Says that no agent has a name, and which names there are. */
export function unknownAgentText(board: Board, name: string): string {
  const { names, more } = similarAgents(board, name);
  const rest = more > 0 ? ` and ${more} more (${operatorCommand('agents list')})` : '';
  return `no instance, persona or type is named ${name}; there are ${names.join(', ') || 'none'}${rest}`;
}

/** The names that a task may ask for, the most similar first, and how many others there are. */
export function similarAgents(board: Board, name: string) {
  const personas = [...board.personas.values()].filter(({ retired }) => !retired);
  const instances = [...board.instances.values()].filter(({ settings }) => settings.enabled);
  const names = new Set([
    ...personas.map(({ slug }) => slug),
    ...instances.map((instance) => instance.name),
    ...board.types.keys(),
  ]);
  const sorted = [...names].sort(
    (one, other) => similarity(name, other) - similarity(name, one) || (one < other ? -1 : 1),
  );
  return { names: sorted.slice(0, MAX_NAMES), more: Math.max(0, sorted.length - MAX_NAMES) };
}

const MAX_NAMES = 20;

/** The share of pairs of neighbouring letters that two words have in common, from 0 to 1. */
function similarity(one: string, other: string): number {
  const [pairs, others] = [pairsIn(one), pairsIn(other)];
  const common = [...pairs].filter((pair) => others.has(pair)).length;
  return (2 * common) / (pairs.size + others.size);
}

/** With marks at both ends, so that words of one letter have pairs too. */
function pairsIn(word: string): Set<string> {
  const marked = `^${word.toLowerCase()}$`;
  return new Set(Array.from({ length: marked.length - 1 }, (_, at) => marked.slice(at, at + 2)));
}
