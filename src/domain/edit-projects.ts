import type { Board } from './board.ts';
import { type Decision, decide, type Now, refuseWith } from './decision.ts';
import { nameTaken } from './name-taken.ts';
import type { Declared, Project, ProjectSettings } from './project.ts';
import { type Refusal, refuse } from './refusal.ts';

export function addProject(
  board: Board,
  { name, settings }: { readonly name: string; readonly settings: ProjectSettings },
  now: Now,
): Decision<string> {
  const taken = board.projects.get(name);
  if (taken)
    return refuseWith(taken.declared ? declared('project', taken) : nameTaken('project', name));
  const project: Project = { name, settings, declared: null, paused: null, addedAt: now.at };
  return decide(name, [{ type: 'ProjectSet', project }]);
}

export function changeProject(
  board: Board,
  { name, change }: { readonly name: string; readonly change: Partial<ProjectSettings> },
): Decision<string> {
  const project = board.projects.get(name);
  if (!project) return refuseWith(unknownProject(name));
  if (project.declared) return refuseWith(declared('project', project));
  const settings = { ...project.settings, ...change };
  return decide(name, [{ type: 'ProjectSet', project: { ...project, settings } }]);
}

export function removeProject(board: Board, name: string): Decision<string> {
  const project = board.projects.get(name);
  if (!project) return refuseWith(unknownProject(name));
  if (project.declared) return refuseWith(declared('project', project));
  const open = board.openIn.get(name) ?? 0;
  if (open > 0) {
    const tasks = open === 1 ? 'an open task; cancel it' : `${open} open tasks; cancel them`;
    const because = `${name} has ${tasks} or pause the project`;
    return refuseWith(refuse('project_has_open_tasks', because));
  }
  return decide(name, [{ type: 'ProjectRemoved', project: name }]);
}

function unknownProject(name: string): Refusal {
  return refuse('unknown_project', `there is no project ${name}`);
}

/** The file owns what it declares, so the refusal names the line to change. */
function declared(
  kind: string,
  { name, declared: at }: { name: string; declared: Declared | null },
) {
  const place = at ? `${at.file}:${at.line}` : 'the configuration file';
  return refuse('declared_in_file', `${kind} ${name} is declared in ${place}; change it there`);
}
