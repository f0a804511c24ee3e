import type { Board } from './board.ts';
import type { Declared } from './project.ts';
import type { Task } from './task.ts';

/**
 * A character that any instance of its type can work as. Its text is a prompt file; what the rules need of it is
 * on the board.
 */
export interface Persona {
  readonly slug: string;
  readonly settings: PersonaSettings;
  /** Null for the product's own. */
  readonly declared: Declared | null;
  /** It left the catalog, but open threads are bound to it: no new task may ask for it. */
  readonly retired: boolean;
}

export interface PersonaSettings {
  readonly type: string;
  readonly displayName: string | null;
  readonly author: string | null;
  /** Teams of the forge whose members may ask for it. */
  readonly teams: readonly string[];
  readonly model: string | null;
  readonly maxRetries: number | null;
  readonly maxTurns: number | null;
  readonly roles: readonly string[];
  readonly domains: readonly string[];
  readonly scopeSummary: string | null;
  readonly mcpServers: readonly McpServer[];
  /** Null means all tools of the task and of its MCP servers. */
  readonly allowedTools: readonly string[] | null;
}

/** A program that runs in the cell, or an address that the cell must be allowed to reach. */
export type McpServer =
  | { readonly name: string; readonly command: readonly string[] }
  | { readonly name: string; readonly url: string };

/** The persona that a run of a task has: the one its thread is bound to, else that of its type. */
export function personaOf(board: Board, task: Requirement): Persona | undefined {
  return ownPersona(board, task) ?? personaOfType(board, task.type);
}

type Requirement = Pick<Task, 'agent' | 'instance' | 'type'>;

/**
 * The persona that the slug of a task names. A task that names an instance has none of its own. A persona may have
 * the name of a type or an instance; tasks for those have the same slug, so then its type decides.
 */
function ownPersona(board: Board, { agent, instance, type }: Requirement): Persona | undefined {
  const persona = instance === null ? board.personas.get(agent) : undefined;
  const isClash = board.types.has(agent) || board.instances.has(agent);
  return isClash && persona?.settings.type !== type ? undefined : persona;
}

function personaOfType(board: Board, type: string): Persona | undefined {
  const slug = board.types.get(type)?.settings.persona ?? null;
  return slug === null ? undefined : board.personas.get(slug);
}

/**
 * The slugs whose persona files a run may have, the first that exists. A file needs no entry in the catalog: one with the
 * name of an instance belongs to that instance.
 */
export function personaFilesFor(board: Board, task: Requirement): readonly string[] {
  const own = ownPersona(board, task);
  if (own) return [own.slug];
  const named = board.personas.has(task.agent) ? [] : [task.agent];
  const usual = board.types.get(task.type)?.settings.persona ?? null;
  return usual === null ? named : [...named, usual];
}
