import type { Config } from '../config/config.ts';
import { declare } from '../domain/apply-config.ts';
import { Board } from '../domain/board.ts';
import { evolve } from '../domain/evolve.ts';
import { staffedProjects } from '../domain/recruiting.ts';
import { type MachineLacks, unableInstances, unableText } from '../domain/staffing.ts';
import { createMachineLacks } from './machine-lacks.ts';

/** Whether a hall with this configuration would start agents on this machine, and why it could not. */
interface StartableAgents {
  /** Null when it would start none: there is no repository here, or max_recruits is 0. */
  readonly projects: readonly string[] | null;
  /** One sentence for each reason. */
  readonly cannotStart: readonly string[];
}

export function startableAgents(
  { hall, declaration, path, dockerHost }: Config,
  lacks: MachineLacks = createMachineLacks({ path, dockerHost }, () => 0),
): StartableAgents {
  const board = new Board();
  const { events } = declare(board, declaration, { at: 0, actor: 'hall' });
  for (const [at, event] of events.entries()) {
    evolve(board, { seq: at + 1, at: 0, actor: 'hall', cause: 'configuration', event });
  }
  const projects = staffedProjects(board).map(({ name }) => name);
  if (hall.mostRecruits === 0 || projects.length === 0) return { projects: null, cannotStart: [] };
  return { projects, cannotStart: unableText(unableInstances(board, lacks)) };
}
