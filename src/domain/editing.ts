import type { Board } from './board.ts';
import { type Decision, decide, type Now, no } from './decision.ts';
import type { HallEvent, TaskChange, ThreadChange } from './event.ts';
import { nameOf, type TaskId, type ThreadId } from './ids.ts';
import {
  type Dependency,
  lookUp,
  type Recollection,
  resolveAgent,
  slugOf,
  wrongDependency,
} from './posting.ts';
import { isRefusal, type Mistake, type Refusal, refuse } from './refusal.ts';
import { type Size, sizeInLabels } from './size.ts';
import { DECOMPOSE, defaultType } from './skill.ts';
import { shortened, unblocked, wayBack } from './splitting.ts';
import { openTask } from './steering.ts';
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

/** Changes what a waiting task says or asks for. What a worker holds is released first. */
export function edit(
  board: Board,
  recalled: Recollection,
  { task: id, change }: { readonly task: TaskId; readonly change: Edit },
  now: Now,
): Decision<TaskId> {
  const task = openTask(board, recalled, id);
  if (isRefusal(task)) return no(task);
  if (isHeld(task.state)) {
    const because = `${nameOf('task', id)} is being worked on; release it to change it`;
    return no(refuse('held_by_run', because));
  }
  const thread = board.threads.get(task.thread);
  if (!thread) return no(refuse('unknown_thread', `${nameOf('task', id)} lost its thread`));
  const size = change.size ?? sizeInLabels(change.labels ?? []) ?? thread.size;
  const asked = askedFor(board, task, change, size);
  if (isRefusal(asked)) return no(asked);
  const edges = newEdges(board, recalled, thread, change.dependsOn);
  if (isRefusal(edges)) return no(edges);
  return decide(id, [
    ...taskEdited(id, { ...words(change), ...asked }),
    ...threadChanged(thread, change, size, edges),
    ...(edges ? regated(board, thread, edges.blockedBy, now.at) : []),
  ]);
}

function words({ title, body }: Edit): TaskChange {
  return { ...(title !== undefined && { title }), ...(body !== undefined && { body }) };
}

/** Who may take it after the edit; a task that became XL is split, not worked. */
function askedFor(board: Board, task: Task, change: Edit, size: Size): TaskChange | Refusal {
  const splits = size === 'XL' && task.skill === 'implement';
  const skill = splits ? DECOMPOSE : task.skill;
  if (change.agent === undefined && change.type === undefined) {
    if (!splits) return {};
    const type = defaultType(skill);
    return { skill, type, instance: null, agent: slugOf(board, type, null) };
  }
  const taker = change.agent ? resolveAgent(board, change.agent) : undefined;
  if (change.agent && !taker) return refuse('unknown_agent', `nobody is called ${change.agent}`);
  const type = change.type ?? taker?.type ?? defaultType(skill);
  if (!board.types.has(type)) return refuse('unknown_type', `there is no type ${type}`);
  if (taker && taker.type !== type) {
    return refuse('invalid', `${change.agent} is of type ${taker.type}, not ${type}`);
  }
  const agent = slugOf(board, type, change.agent ?? null);
  return { skill, type, instance: taker?.instance ?? null, agent };
}

interface Edges {
  readonly dependsOn: readonly ThreadId[];
  readonly blockedBy: readonly ThreadId[];
}

function newEdges(
  board: Board,
  recalled: Recollection,
  thread: Thread,
  asked: readonly Dependency[] | undefined,
): Edges | Refusal | undefined {
  if (!asked) return undefined;
  const dependsOn = new Set<ThreadId>();
  const blockedBy = new Set<ThreadId>();
  const mistakes: Mistake[] = [];
  for (const [at, dependency] of asked.entries()) {
    const found = lookUp(board, recalled, dependency);
    const path = `depends_on[${at}]`;
    if (!found || found.project !== thread.project) {
      mistakes.push({ path, message: wrongDependency(dependency, found) });
      continue;
    }
    const round = wayBack(board, thread.id, found.id);
    if (round) {
      const names = shortened(round.map((id) => nameOf('thread', id))).join(' → ');
      return refuse('dependency_cycle', `${names} would wait for itself`, [
        { path, message: names },
      ]);
    }
    dependsOn.add(found.id);
    if (!found.done) blockedBy.add(found.id);
  }
  const [first] = mistakes;
  if (first) return refuse('bad_dependency', first.message, mistakes);
  return { dependsOn: [...dependsOn], blockedBy: [...blockedBy] };
}

function taskEdited(task: TaskId, change: TaskChange): readonly HallEvent[] {
  return Object.keys(change).length === 0 ? [] : [{ type: 'TaskEdited', task, change }];
}

function threadChanged(
  thread: Thread,
  change: Edit,
  size: Size,
  edges: Edges | undefined,
): readonly HallEvent[] {
  const changed: ThreadChange = {
    ...(change.labels && { labels: change.labels }),
    ...(size !== thread.size && { size }),
    ...(change.title !== undefined && { title: change.title }),
    ...edges,
  };
  if (Object.keys(changed).length === 0) return [];
  return [{ type: 'ThreadChanged', thread: thread.id, change: changed }];
}

/** New edges can shut waiting tasks in or let blocked ones out. */
function regated(
  board: Board,
  thread: Thread,
  blockedBy: readonly ThreadId[],
  at: number,
): readonly HallEvent[] {
  if (blockedBy.length === 0) return unblocked(board, thread, at);
  return thread.tasks.flatMap((id): HallEvent[] => {
    const task = board.tasks.get(id);
    if (!task || !isAvailable(task.state)) return [];
    return [{ type: 'TaskBlocked', task: id, state: { is: 'blocked', since: at } }];
  });
}
