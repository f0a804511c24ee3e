import { anyOfType, resolveAgentName, unknownAgentText } from './agent-name.ts';
import type { Board } from './board.ts';
import type { ClosedWork } from './closed-work.ts';
import { type Decision, decide, type Now, refuseWith } from './decision.ts';
import { cycleThrough } from './dependencies/cycle.ts';
import { type Dependency, findThread } from './dependencies/look-up.ts';
import { type Edges, resolveDependencies, type WrongDependency } from './dependencies/resolve.ts';
import { unblockEvents } from './dependencies/unblock.ts';
import type { HallEvent, TaskChange, ThreadChange } from './event.ts';
import { onOpenTask } from './find-task.ts';
import { nameOf, type TaskId, type ThreadId } from './ids.ts';
import { operatorCommand } from './operator-command.ts';
import { isRefusal, type Mistake, type Refusal, refuse } from './refusal.ts';
import { type Size, sizeInLabels } from './size.ts';
import { DECOMPOSE, defaultType } from './skill.ts';
import { isAvailable, isHeld, type Task } from './task.ts';
import type { Thread } from './thread.ts';

export interface Edit {
  readonly title?: string;
  readonly body?: string;
  readonly labels?: readonly string[];
  readonly size?: Size;
  readonly type?: string;
  readonly agent?: string | null;
  readonly dependsOn?: readonly Dependency[];
}

/** Changes the text or requirements of a waiting task. A task held by a worker must be released first. */
export function edit(
  board: Board,
  recalled: ClosedWork,
  { task: id, change }: { readonly task: TaskId; readonly change: Edit },
  now: Now,
): Decision<TaskId> {
  return onOpenTask(board, recalled, id, (task) => {
    if (isHeld(task.state)) {
      const because = `${nameOf('task', id)} is being worked on; release it first with: ${operatorCommand('task release', nameOf('task', id))}`;
      return refuseWith(refuse('held_by_run', because));
    }
    const thread = board.threads.get(task.thread);
    if (!thread)
      return refuseWith(refuse('unknown_thread', `the thread of ${nameOf('task', id)} is missing`));
    const size = change.size ?? sizeInLabels(change.labels ?? []) ?? thread.size;
    const assignment = newAssignment(board, task, change, size);
    if (isRefusal(assignment)) return refuseWith(assignment);
    const edges = newEdges(board, recalled, thread, change.dependsOn);
    if (isRefusal(edges)) return refuseWith(edges);
    return decide(id, [
      ...taskEdited(id, { ...textChange(change), ...assignment }),
      ...threadChanged(thread, { ...change, ...rebinding(task, thread, assignment) }, size, edges),
      ...(edges ? blockOrUnblock(board, thread, edges.blockedBy, now.at) : []),
    ]);
  });
}

function textChange({ title, body }: Edit): TaskChange {
  return { ...(title !== undefined && { title }), ...(body !== undefined && { body }) };
}

/** Who may take the task after the edit. A task that became XL is split, not worked on. */
function newAssignment(board: Board, task: Task, change: Edit, size: Size): TaskChange | Refusal {
  const splits = size === 'XL' && task.skill === 'implement';
  const skill = splits ? DECOMPOSE : task.skill;
  if (change.agent === undefined && change.type === undefined) {
    if (!splits) return {};
    return { skill, ...anyOfType(board, defaultType(skill)) };
  }
  const taker = change.agent ? resolveAgentName(board, change.agent) : undefined;
  if (change.agent && !taker) return refuse('unknown_agent', unknownAgentText(board, change.agent));
  const type = change.type ?? taker?.type ?? defaultType(skill);
  if (!board.types.has(type)) return refuse('unknown_type', `there is no type ${type}`);
  if (taker && taker.type !== type) {
    return refuse('invalid', `${change.agent} is of type ${taker.type}, not ${type}`);
  }
  return { skill, ...(taker ?? anyOfType(board, type)) };
}

/** The thread is bound to whoever is asked for now. A task for another agent in it, such as a review, changes nothing. */
function rebinding(task: Task, thread: Thread, { agent }: TaskChange): { readonly slug?: string } {
  return agent === undefined || task.agent !== thread.agent ? {} : { slug: agent };
}

function newEdges(
  board: Board,
  recalled: ClosedWork,
  { id, project }: Thread,
  dependsOn: readonly Dependency[] | undefined,
): Edges | Refusal | undefined {
  if (!dependsOn) return undefined;
  const { edges, wrong } = resolveDependencies(dependsOn, {
    project,
    find: (dependency) => findThread(board, recalled, dependency),
    cycle: (_, found) => cycleThrough(board, id, found.id),
  });
  const cycle = wrong.find(({ code }) => code === 'dependency_cycle');
  if (cycle) {
    const { message } = cycle;
    return refuse('dependency_cycle', `the dependencies would form a cycle: ${message}`, [
      mistakeIn(cycle),
    ]);
  }
  const [first] = wrong;
  return first ? refuse('bad_dependency', first.message, wrong.map(mistakeIn)) : edges;
}

function mistakeIn({ at, message }: WrongDependency): Mistake {
  return { path: `depends_on[${at}]`, message };
}

function taskEdited(task: TaskId, change: TaskChange): readonly HallEvent[] {
  return Object.keys(change).length === 0 ? [] : [{ type: 'TaskEdited', task, change }];
}

function threadChanged(
  thread: Thread,
  change: Edit & { readonly slug?: string },
  size: Size,
  edges: Edges | undefined,
): readonly HallEvent[] {
  const { slug = thread.agent } = change;
  const changed: ThreadChange = {
    ...(change.labels && { labels: change.labels }),
    ...(size !== thread.size && { size }),
    ...(slug !== null && slug !== thread.agent && { agent: slug }),
    ...(change.title !== undefined && { title: change.title }),
    ...edges,
  };
  if (Object.keys(changed).length === 0) return [];
  return [{ type: 'ThreadChanged', thread: thread.id, change: changed }];
}

/** New dependencies can block waiting tasks or unblock blocked ones. */
function blockOrUnblock(
  board: Board,
  thread: Thread,
  blockedBy: readonly ThreadId[],
  at: number,
): readonly HallEvent[] {
  if (blockedBy.length === 0) return unblockEvents(board, thread, at);
  return thread.tasks.flatMap((id): HallEvent[] => {
    const task = board.tasks.get(id);
    if (!task || !isAvailable(task.state)) return [];
    return [{ type: 'TaskBlocked', task: id, state: { is: 'blocked', since: at } }];
  });
}
