import type { Board } from './board.ts';
import { branchOf } from './branch-name.ts';
import type { Brief } from './brief.ts';
import { nameOf } from './ids.ts';
import { reachableHosts } from './network.ts';
import { type Persona, type PersonaSettings, personaFilesFor, personaOf } from './persona.ts';
import type { AgentType, Instance } from './pool.ts';
import { type Project, stricterLimits } from './project.ts';
import type { Passage, PromptParts } from './prompt.ts';
import type { Note } from './row.ts';
import { MAX_CHILDREN, minChildren } from './splitting.ts';
import type { Task } from './task.ts';
import type { Thread } from './thread.ts';

/** The inputs of a brief besides the board: texts from the store and from files. */
interface BriefSources {
  readonly task: { readonly title: string; readonly body: string };
  /** The text of the thread's first task: the original request. */
  readonly request: { readonly title: string; readonly body: string; readonly by: string };
  readonly notes: readonly Note[];
  readonly contract: string;
  readonly skill: string;
  persona(slug: string): string | null;
}

interface Parties {
  readonly task: Task;
  readonly thread: Thread;
  readonly project: Project;
  readonly type: AgentType;
  readonly instance: Instance;
  readonly persona: Persona | undefined;
}

/** The brief for a worker that claimed a task, or undefined when part of it no longer exists. */
export function briefOf(
  board: Board,
  task: Task,
  target: BriefTarget,
  sources: BriefSources,
): Brief | undefined {
  const thread = target.thread;
  const project = board.projects.get(task.project);
  const instance = board.instances.get(target.instance);
  const type = instance && board.types.get(instance.type);
  if (!project || !instance || !type) return undefined;
  const persona = personaOf(board, task);
  const parties = { task, thread, project, type, instance, persona };
  const { settings } = project;
  return {
    repo: settings.repo,
    base: settings.base,
    branch: branchOf(thread, type.settings.branchPrefix),
    head: thread.forge.head,
    writes: target.writes,
    agent: agentOf(parties),
    cell: {
      isolation: settings.isolation,
      image: type.settings.image,
      limits: stricterLimits(settings.limits, type.settings.limits),
      network: reachableHosts(settings.network, type.settings.network),
      env: { ...type.settings.env, ...settings.env },
      setup: settings.setup,
      copy: settings.copy,
    },
    prompt: promptOf(board, parties, sources),
  };
}

export interface BriefTarget {
  readonly instance: string;
  readonly thread: Thread;
  readonly writes: boolean;
}

function agentOf({ task, type, instance, persona }: Parties): Brief['agent'] {
  const { model, maxTurns, backend, needsModel, secretEnv, git, gpgKey } = type.settings;
  return {
    instance: instance.name,
    slug: task.agent,
    model: instance.settings.model ?? persona?.settings.model ?? model,
    maxTurns: persona?.settings.maxTurns ?? maxTurns,
    allowedTools: persona?.settings.allowedTools ?? null,
    mcpServers: persona?.settings.mcpServers ?? [],
    backend,
    needsModel,
    secretEnv: Object.keys(secretEnv),
    git,
    gpgKey,
    coAuthor: `${task.agent} <${task.agent}@guildhall.invalid>`,
  };
}

function promptOf(board: Board, parties: Parties, sources: BriefSources): PromptParts {
  const { task, thread, project, type, instance } = parties;
  const branch = branchOf(thread, type.settings.branchPrefix);
  const base = project.settings.base ?? 'the default branch';
  return {
    contract: sources.contract,
    persona: personaText(board, task, sources),
    skill: sources.skill,
    appendix: instance.settings.promptAppendix,
    words: {
      branch,
      base,
      checks: checksOf(project),
      catalog: catalogOf(board),
      children: `${minChildren(task.skill, thread.size)} to ${MAX_CHILDREN} of them`,
    },
    task: {
      name: nameOf('task', task.id),
      project: project.name,
      skill: task.skill,
      size: thread.size,
      branch,
      base,
    },
    thread: threadText(task, sources),
    memory: sources.notes.map(passageOf),
    repository: [],
  };
}

function personaText(board: Board, task: Task, sources: BriefSources): string | null {
  const texts = personaFilesFor(board, task).map((slug) => sources.persona(slug));
  return texts.find((text) => text !== null) ?? null;
}

function checksOf({ settings }: Project): string {
  const commands = settings.checks.map(({ run }) => `\`${run}\``);
  return commands.length > 0 ? commands.join(', ') : 'the ones that the repository defines';
}

/** The personas and instances that a task may require, with what the catalog says about them. */
function catalogOf(board: Board): string {
  const personas = [...board.personas.values()]
    .filter(({ retired }) => !retired)
    .map(
      ({ slug, settings }) =>
        `\`${slug}\` (${[settings.type, ...specialtyOf(settings)].join('; ')})`,
    );
  const instances = [...board.instances.values()]
    .filter(({ settings }) => settings.enabled)
    .map(({ name, type }) => `\`${name}\` (${type})`);
  return [...personas.sort(), ...instances.sort()].join(', ') || 'no agents';
}

function specialtyOf({ domains, scopeSummary }: PersonaSettings): readonly string[] {
  const summary = scopeSummary?.replace(/\s+/g, ' ').trim() ?? '';
  return [domains.join(', '), summary].filter((text) => text !== '');
}

function threadText({ id, thread }: Task, { request, task }: BriefSources): readonly Passage[] {
  const first = {
    source: 'issue',
    author: request.by,
    text: `${request.title}\n\n${request.body}`.trim(),
  };
  if ((id as number) === (thread as number) || task.body === '') return [first];
  return [first, { source: 'task', author: 'hall', text: task.body }];
}

function passageOf({ kind, by, text }: Note): Passage {
  return { source: kind, author: by, text };
}
