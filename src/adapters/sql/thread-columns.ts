import type { ThreadId } from '../../domain/ids.ts';
import type { Size } from '../../domain/size.ts';
import {
  isDone,
  NO_LABELS,
  NO_TASKS,
  NO_THREADS,
  NOT_ON_FORGE,
  type Thread,
  type ThreadOnForge,
  type ThreadState,
} from '../../domain/thread.ts';
import type { Leading } from './dialect.ts';

/** The columns of a thread in the order of `TABLES.thread`. */
export type ThreadCells = readonly [
  id: number,
  project: string,
  state: string,
  parent: number | null,
  size: string,
  agent: string | null,
  openedAt: number,
  title: string,
  facts: string | null,
];

type Facts = Partial<
  Pick<
    Thread,
    | 'labels'
    | 'dependsOn'
    | 'blockedBy'
    | 'children'
    | 'childrenDone'
    | 'completed'
    | 'handedOver'
    | 'forge'
  >
>;

export function threadCells(thread: Thread, title: string): ThreadCells {
  return [
    thread.id,
    thread.project,
    thread.state,
    thread.parent,
    thread.size,
    thread.agent,
    thread.openedAt,
    title,
    factsOf(thread),
  ];
}

/** The list of tasks follows from the tasks, so posting one does not rewrite the thread. */
export function storedThread(thread: Thread): Thread {
  return thread.tasks.length === 0 ? thread : { ...thread, tasks: NO_TASKS };
}

function factsOf(thread: Thread): string | null {
  const { labels, dependsOn, blockedBy, children, childrenDone, completed, handedOver, forge } =
    thread;
  const facts: Facts = {
    ...(labels.length > 0 && { labels }),
    ...(dependsOn.length > 0 && { dependsOn }),
    ...(blockedBy.length > 0 && { blockedBy }),
    ...(children !== 0 && { children }),
    ...(childrenDone !== 0 && { childrenDone }),
    ...(completed && !isDone(thread) && { completed }),
    ...(handedOver !== null && { handedOver }),
    ...(isOnForge(thread) && { forge }),
  };
  return Object.keys(facts).length === 0 ? null : JSON.stringify(facts);
}

function isOnForge({ forge }: Thread): boolean {
  return forge !== NOT_ON_FORGE && JSON.stringify(forge) !== JSON.stringify(NOT_ON_FORGE);
}

/** Reads a thread from cells that may be followed by others. */
export function threadFrom(cells: Leading<ThreadCells>): Thread {
  const facts = cells[8];
  return facts === null ? plainThread(cells) : { ...plainThread(cells), ...factsIn(facts) };
}

function factsIn(text: string): Facts {
  return JSON.parse(text);
}

/** The branch, issue and pull request among the facts of a thread. */
export function forgeIn(facts: string | null): ThreadOnForge {
  return (facts === null ? undefined : factsIn(facts).forge) ?? NOT_ON_FORGE;
}

function plainThread(cells: Leading<ThreadCells>): Thread {
  return {
    id: cells[0] as ThreadId,
    project: cells[1],
    labels: NO_LABELS,
    size: cells[4] as Size,
    agent: cells[5],
    dependsOn: NO_THREADS,
    blockedBy: NO_THREADS,
    parent: cells[3] as ThreadId | null,
    children: 0,
    childrenDone: 0,
    completed: cells[2] === 'done',
    tasks: NO_TASKS,
    state: cells[2] as ThreadState,
    handedOver: null,
    forge: NOT_ON_FORGE,
    openedAt: cells[6],
  };
}
