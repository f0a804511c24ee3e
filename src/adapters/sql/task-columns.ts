import type { TaskId, ThreadId } from '../../domain/ids.ts';
import { isClosed, isHeld, type Task, type TaskState } from '../../domain/task.ts';
import type { Leading } from './dialect.ts';

/** The columns of a task in the order of `TABLES.task`. */
export type TaskCells = readonly [
  id: number,
  thread: number,
  project: string,
  state: string,
  since: number,
  skill: string,
  type: string,
  instance: string | null,
  agent: string,
  actor: string,
  postedAt: number,
  closed: number,
  title: string,
  facts: string | null,
];

/** Fields that most tasks lack. */
interface Facts {
  readonly crashes?: number;
  readonly labelWaitExpired?: true;
  readonly reopens?: TaskId;
  /** The state's fields besides its name and start time. */
  readonly state?: object;
}

export function taskCells(row: Task, title: string): TaskCells {
  const task = storedTask(row);
  return [
    task.id,
    task.thread,
    task.project,
    task.state.is,
    task.state.since,
    task.skill,
    task.type,
    task.instance,
    task.agent,
    task.actor,
    task.postedAt,
    isClosed(task.state) ? 1 : 0,
    title,
    factsOf(task),
  ];
}

/** A claim writes a run and no task, so the table has a claimed task as available. */
export function storedTask(task: Task): Task {
  if (!isHeld(task.state)) return task;
  return { ...task, state: { is: 'available', since: task.state.since } };
}

function factsOf({ crashes, labelWaitExpired, reopens, state }: Task): string | null {
  const { is: _, since: __, ...more } = state;
  const facts: Facts = {
    ...(crashes !== 0 && { crashes }),
    ...(labelWaitExpired && { labelWaitExpired }),
    ...(reopens !== null && { reopens }),
    ...(Object.keys(more).length > 0 && { state: more }),
  };
  return Object.keys(facts).length === 0 ? null : JSON.stringify(facts);
}

/** Reads a task from cells that may be followed by others. */
export function taskFrom(cells: Leading<TaskCells>): Task {
  const facts = cells[13];
  return facts === null ? plainTask(cells) : factualTask(cells, JSON.parse(facts));
}

function plainTask(cells: Leading<TaskCells>, state = stateFrom(cells, undefined)): Task {
  return {
    id: cells[0] as TaskId,
    thread: cells[1] as ThreadId,
    project: cells[2],
    skill: cells[5],
    type: cells[6],
    instance: cells[7],
    agent: cells[8],
    actor: cells[9],
    postedAt: cells[10],
    crashes: 0,
    labelWaitExpired: false,
    reopens: null,
    state,
  };
}

function factualTask(cells: Leading<TaskCells>, { state, ...facts }: Facts): Task {
  return { ...plainTask(cells, stateFrom(cells, state)), ...facts };
}

function stateFrom(cells: Leading<TaskCells>, more: object | undefined): TaskState {
  return { is: cells[3], since: cells[4], ...more } as TaskState;
}
