import {
  type Assignee,
  agentInLabel,
  anyOfType,
  resolveAgentName,
  unknownAgentText,
} from './agent-name.ts';
import type { Board } from './board.ts';
import type { ClosedWork } from './closed-work.ts';
import { type Decision, decide, type Now, refuseWith } from './decision.ts';
import { cycleAmong } from './dependencies/cycle.ts';
import { createDeadlockCheck } from './dependencies/deadlock.ts';
import {
  type Dependency,
  dependencyName,
  type FoundThread,
  findThread,
  threadOf,
} from './dependencies/look-up.ts';
import { type Edges, resolveDependencies } from './dependencies/resolve.ts';
import type { HallEvent } from './event.ts';
import { nameOf, type TaskId, type ThreadId } from './ids.ts';
import { type Mistake, type RefusalCode, refuse } from './refusal.ts';
import { type Size, sizeInLabels } from './size.ts';
import { DECOMPOSE, defaultType } from './skill.ts';
import { MAX_CHILDREN } from './splitting.ts';
import type { TaskState } from './task.ts';
import type { IssueLink, Thread } from './thread.ts';

export interface Posting {
  readonly project: string;
  readonly title: string;
  readonly body: string;
  readonly skill: string;
  readonly type: string | null;
  readonly agent: string | null;
  readonly labels: readonly string[];
  readonly size: Size | null;
  readonly dependsOn: readonly Dependency[];
  readonly ref: string | null;
  readonly parent: TaskId | null;
  /** The issue on a connected forge that the thread is about. */
  readonly issue?: IssueLink;
}

export interface Posted {
  readonly task: TaskId;
  readonly thread: ThreadId;
}

/** The path prefix of a posting's fields in the request: `[3].` for `[3].title`. */
export type FieldPath = (at: number) => string;

export const SINGLE_TASK: FieldPath = () => '';
export const TASK_LIST: FieldPath = (at) => `[${at}].`;

/** Puts tasks on the board, each in its own thread: all of them, or none with every mistake listed. */
export function post(
  board: Board,
  recalled: ClosedWork,
  postings: readonly Posting[],
  now: Now,
  placing = postings.length > 1 ? TASK_LIST : SINGLE_TASK,
): Decision<readonly Posted[]> {
  const ids = postings.map((_, at) => ({
    thread: (board.seq + 1 + at) as ThreadId,
    task: (board.seq + 1 + at) as TaskId,
  }));
  const places = placesOf(postings);
  const idOf = (on: Dependency) => findThread(board, recalled, on)?.id;
  const isDeadlock = createDeadlockCheck({ board, idOf, postings, places });
  const mistakes: Found[] = [];
  const planner = { board, recalled, postings, ids, places, isDeadlock, placing, mistakes };
  const events = postings.flatMap((posting, at) => plan(planner, posting, at, now));
  mistakes.push(...namesakes(postings, placing));
  mistakes.push(...cycles(postings, placing));
  const [first] = mistakes;
  if (first) return refuseWith(refuse(first.code, sentence(mistakes), mistakes));
  return decide(ids, events);
}

/** The position of each named task; the first one wins for duplicate names. */
function placesOf(postings: readonly Posting[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (const [at, { ref }] of postings.entries()) {
    if (ref !== null && !places.has(ref)) places.set(ref, at);
  }
  return places;
}

interface Found extends Mistake {
  readonly code: RefusalCode;
}

interface Planner {
  readonly board: Board;
  readonly recalled: ClosedWork;
  readonly postings: readonly Posting[];
  readonly ids: readonly Posted[];
  readonly places: ReadonlyMap<string, number>;
  readonly isDeadlock: ReturnType<typeof createDeadlockCheck>;
  readonly placing: FieldPath;
  readonly mistakes: Found[];
}

function sentence(mistakes: readonly Mistake[]): string {
  const [first] = mistakes;
  const more = mistakes.length - 1;
  return `${first?.message}${more > 0 ? `, and ${more} more` : ''}`;
}

function plan(planner: Planner, posting: Posting, at: number, now: Now): readonly HallEvent[] {
  const { board, ids, mistakes, placing } = planner;
  const path = (field: string) => `${placing(at)}${field}`;
  const project = board.projects.get(posting.project);
  const own = ids[at];
  if (!project || !own) {
    const message = `there is no project ${posting.project}`;
    mistakes.push({ code: 'unknown_project', path: path('project'), message });
    return [];
  }
  const size = posting.size ?? sizeInLabels(posting.labels) ?? project.settings.defaultSize;
  const skill = size === 'XL' && posting.skill === 'implement' ? DECOMPOSE : posting.skill;
  const taker = resolveTaker(planner, posting, skill, path);
  const parent = resolveParent(planner, posting, path);
  const edges = resolveDependsOn(planner, posting, parent, path);
  const state: TaskState = {
    is: edges.blockedBy.length > 0 ? 'blocked' : 'available',
    since: now.at,
  };
  const { title, labels, body, project: name } = posting;
  const task = {
    id: own.task,
    thread: own.thread,
    project: name,
    skill,
    ...taker,
    actor: now.actor,
    reopens: null,
    state,
    title,
    body,
  };
  const { issue } = posting;
  const opens = { labels, size, agent: taker.agent, ...edges, parent, ...(issue && { issue }) };
  return [{ type: 'TaskPosted', task, opens }];
}

type Path = (field: string) => string;

function resolveTaker(planner: Planner, posting: Posting, skill: string, path: Path): Assignee {
  const { board, mistakes } = planner;
  const asked = askedAgent(posting);
  const named = asked && resolveAgentName(board, asked.name);
  const type = posting.type ?? named?.type ?? defaultType(skill);
  if (asked && !named) {
    const message = unknownAgentText(board, asked.name);
    mistakes.push({ code: 'unknown_agent', path: path(asked.field), message });
  } else if (!board.types.has(type)) {
    const known = [...board.types.keys()].sort().join(', ');
    const message = `there is no type ${type}; known types: ${known || 'none'}`;
    mistakes.push({ code: 'unknown_type', path: path('type'), message });
  } else if (named && named.type !== type) {
    const message = `${asked.name} is of type ${named.type}, not ${type}`;
    mistakes.push({ code: 'invalid', path: path('type'), message });
  }
  return named ? { ...named, type } : anyOfType(board, type);
}

/** The agent that a posting asks for, by its field or by a label `hall:<agent>`, and where it says so. */
function askedAgent({ agent, labels }: Posting) {
  if (agent !== null) return { name: agent, field: 'agent' };
  const names = labels.map(agentInLabel);
  const at = names.findLastIndex((name) => name !== undefined);
  const name = names[at];
  return name === undefined ? undefined : { name, field: `labels[${at}]` };
}

function resolveDependsOn(
  { board, recalled, postings, ids, places, isDeadlock, mistakes }: Planner,
  posting: Posting,
  parent: ThreadId | null,
  path: Path,
): Edges {
  const find = (dependency: Dependency): FoundThread | undefined => {
    const sibling = 'ref' in dependency ? places.get(dependency.ref) : undefined;
    if (sibling === undefined) return findThread(board, recalled, dependency);
    const [id, project] = [ids[sibling]?.thread, postings[sibling]?.project];
    return id === undefined || project === undefined ? undefined : { id, project, done: false };
  };
  const cycle = (dependency: Dependency) =>
    parent !== null && isDeadlock(parent, dependency)
      ? `${dependencyName(dependency)} cannot be done before this task, so this task cannot depend on it`
      : undefined;
  const { project, dependsOn } = posting;
  const { edges, wrong } = resolveDependencies(dependsOn, { project, find, cycle });
  for (const { at, code, message } of wrong) {
    mistakes.push({ code, path: path(`depends_on[${at}]`), message });
  }
  return edges;
}

function resolveParent(
  { board, recalled, postings, mistakes }: Planner,
  posting: Posting,
  path: Path,
): ThreadId | null {
  if (posting.parent === null) return null;
  const id = threadOf(board, recalled, posting.parent);
  const thread = id === undefined ? undefined : board.threads.get(id);
  const before = postings.slice(0, postings.indexOf(posting));
  const siblings = before.filter(({ parent }) => parent === posting.parent).length;
  const wrong = unfitParent(thread, posting.project, siblings);
  if (wrong) {
    const message = `${nameOf('task', posting.parent)} ${wrong}`;
    mistakes.push({ code: 'invalid', path: path('parent'), message });
  }
  return id ?? null;
}

function unfitParent(
  thread: Thread | undefined,
  project: string,
  siblings: number,
): string | undefined {
  if (!thread) return 'does not exist or its thread is closed';
  if (thread.project !== project) return 'is in another project';
  if (thread.children + siblings < MAX_CHILDREN) return undefined;
  return `has reached the limit of ${MAX_CHILDREN} children`;
}

function namesakes(postings: readonly Posting[], placing: FieldPath): readonly Found[] {
  const refs = postings.map((posting) => posting.ref);
  return refs.flatMap((ref, at) =>
    ref === null || refs.indexOf(ref) === at
      ? []
      : [
          {
            code: 'name_taken',
            path: `${placing(at)}ref`,
            message: `another task of this request has the ref ${ref}`,
          },
        ],
  );
}

function cycles(postings: readonly Posting[], placing: FieldPath): readonly Found[] {
  const cycle = cycleAmong(postings);
  if (!cycle) return [];
  const message = `the dependencies form a cycle: ${cycle.names}`;
  return [{ code: 'dependency_cycle', path: `${placing(cycle.at)}depends_on`, message }];
}
