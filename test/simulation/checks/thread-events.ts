import type {
  HallEvent,
  OpenedThread,
  PostedTask,
  ThreadChange,
} from '../../../src/domain/event.ts';
import type { ThreadId } from '../../../src/domain/ids.ts';
import { isClosed, type TaskState } from '../../../src/domain/task.ts';
import type { Thread } from '../../../src/domain/thread.ts';
import type { Ledger, LedgerTask, LedgerThread } from './ledger.ts';

/** Events of threads and of unclaimed tasks. */
export function readThread(ledger: Ledger, event: HallEvent): void {
  switch (event.type) {
    case 'ThreadReopened':
      return reopen(ledger, event.thread);
    case 'ThreadChanged':
      return change(ledger, event.thread, event.change);
    case 'ThreadDone':
      return finish(ledger, event.thread);
    case 'PullRequestMerged':
      return markMerged(ledger, event.thread);
    case 'TaskPosted':
      if (event.opens) open(ledger, event.task, event.opens);
      return post(ledger, event.task);
    case 'TaskEdited':
      return withTask(ledger, event.task, (task) => Object.assign(task, wanted(event.change)));
    case 'LabelWaitExpired':
      return withTask(ledger, event.task, (task) => {
        ledger.must(task.state === 'available', `task ${task.id} waited while ${task.state}`);
        task.waited = true;
      });
    case 'TaskApproved':
    case 'TaskBlocked':
    case 'TaskUnblocked':
    case 'TaskDue':
    case 'TaskRetried':
    case 'TaskCancelled':
    case 'TaskAnswered':
      return move(ledger, event);
    case 'LabelsUnmatched':
      return;
    default:
      ledger.fail(`${event.type} is unknown to the ledger`);
  }
}

function open(ledger: Ledger, { thread: id, project }: PostedTask, opens: OpenedThread): void {
  const { parent, labels, size, dependsOn: after, blockedBy: waits } = opens;
  ledger.must(id === ledger.seq, `thread ${id} is not numbered by its first task`);
  ledger.must(ledger.projects.has(project), `thread ${id} is in no project`);
  const thread: LedgerThread = {
    ...{ id, project, parent, labels, size, after },
    waits: new Set(waits),
    children: new Set(),
    grownUp: 0,
    open: new Set(),
    runs: new Set(),
    state: 'open',
    pr: 'none',
    hasCompleted: false,
    isHandedOver: false,
  };
  ledger.threads.set(id, thread);
  waitsForTheRest(ledger, thread);
  if (parent === null) return;
  const above = ledger.threads.get(parent);
  ledger.must(above?.state === 'open', `thread ${id} is a child of ${parent}, which is not open`);
  above?.children.add(id);
}

/** A thread waits for exactly those of its dependencies that are not done, and never for itself. */
function waitsForTheRest(ledger: Ledger, { id, after, waits }: LedgerThread): void {
  for (const other of after) {
    const isDone = ledger.threads.get(other)?.state === 'done';
    // Within one post a thread may wait for one that is opened by a later event.
    if (other > ledger.seq) continue;
    ledger.must(isDone !== waits.has(other), `thread ${id} and its dependency ${other} disagree`);
  }
  for (const other of waits) {
    ledger.must(after.includes(other), `thread ${id} waits for ${other} without reason`);
  }
  if (waits.size > 0 && reaches(ledger, waits, id)) {
    ledger.fail(`thread ${id} waits for itself, so neither can ever be done`);
  }
}

/** Whether being done with these needs being done with that one, through dependencies and children. */
function reaches(ledger: Ledger, from: Iterable<ThreadId>, goal: ThreadId): boolean {
  const seen = new Set<ThreadId>();
  const queue = [...from];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (id === goal) return true;
    if (seen.has(id)) continue;
    seen.add(id);
    const thread = ledger.threads.get(id);
    if (!thread || thread.state === 'done') continue;
    queue.push(...thread.waits, ...openChildren(ledger, thread));
  }
  return false;
}

function openChildren(ledger: Ledger, { children }: LedgerThread): ThreadId[] {
  return [...children].filter((id) => {
    const state = ledger.threads.get(id)?.state;
    return state !== 'done' && state !== 'cancelled';
  });
}

/** A child whose parent was closed meanwhile continues without it. */
function reopen(ledger: Ledger, { id, blockedBy: waits, parent }: Thread): void {
  const thread = ledger.threads.get(id);
  if (!thread || thread.state === 'open') return ledger.fail(`thread ${id} is not closed`);
  const above = thread.parent === null ? undefined : ledger.threads.get(thread.parent);
  ledger.must((above?.state === 'open') === (parent !== null), `thread ${id} lost its parent`);
  if (parent === null) leaveHome(thread, above);
  thread.state = 'open';
  thread.waits.clear();
  for (const other of waits) thread.waits.add(other);
  waitsForTheRest(ledger, thread);
}

function leaveHome(thread: LedgerThread, parent: LedgerThread | undefined): void {
  thread.parent = null;
  if (parent?.children.delete(thread.id) && thread.state === 'done') parent.grownUp += 1;
}

function change(ledger: Ledger, id: ThreadId, changed: ThreadChange): void {
  const thread = ledger.threads.get(id);
  if (thread?.state !== 'open') return ledger.fail(`thread ${id} is not open`);
  if (changed.labels) thread.labels = changed.labels;
  if (changed.size) thread.size = changed.size;
  if (changed.handedOver !== undefined) thread.isHandedOver = changed.handedOver !== null;
  if (changed.dependsOn) thread.after = changed.dependsOn;
  if (!changed.blockedBy) return;
  thread.waits.clear();
  for (const other of changed.blockedBy) thread.waits.add(other);
  waitsForTheRest(ledger, thread);
}

/** The one predicate that opens a dependency and counts a child: merged, or completed without a request to merge. */
export function finish(ledger: Ledger, id: ThreadId): void {
  const thread = ledger.threads.get(id);
  if (thread?.state !== 'open') return ledger.fail(`thread ${id} is done but was not open`);
  ledger.must(thread.open.size === 0, `thread ${id} is done with open tasks`);
  ledger.must(thread.pr !== 'open', `thread ${id} is done though its pull request is open`);
  ledger.must(
    thread.hasCompleted || thread.pr === 'merged' || someChildIsDone(ledger, thread),
    `thread ${id} is done though nothing in it was completed`,
  );
  const left = openChildren(ledger, thread);
  ledger.must(left.length === 0, `thread ${id} is done before its children ${left.join(', ')}`);
  thread.state = 'done';
  thread.waits.clear();
  for (const other of ledger.threads.values()) other.waits.delete(id);
}

function markMerged(ledger: Ledger, id: ThreadId): void {
  const thread = ledger.threads.get(id);
  if (!thread || thread.pr === 'none')
    return ledger.fail(`thread ${id} has no pull request to merge`);
  thread.pr = 'merged';
}

function post(ledger: Ledger, posted: PostedTask): void {
  const { id, thread: of, project, title, skill, type, instance, agent, state } = posted;
  ledger.must(id === ledger.seq, `task ${id} is not numbered by its event`);
  const thread = ledger.threads.get(of);
  if (thread?.state !== 'open') return ledger.fail(`task ${id} is posted in a closed thread`);
  const persona = instance === null ? ledger.personas.get(agent) : undefined;
  ledger.must((persona?.settings.type ?? type) === type, `${agent} is not of type ${type}`);
  const task: LedgerTask = {
    ...{ id, thread: of, project, title, skill, type, instance, agent },
    state: state.is,
    until: 0,
    run: null,
    crashes: 0,
    waited: false,
  };
  ledger.tasks.set(id, task);
  ledger.openTasks.set(id, task);
  thread.open.add(id);
  ledger.titles.set(title, (ledger.titles.get(title) ?? 0) + 1);
  if (state.is === 'available') waitsForNothing(ledger, task);
}

export function waitsForNothing(ledger: Ledger, task: LedgerTask): void {
  const waits = ledger.threads.get(task.thread)?.waits;
  ledger.must(waits?.size === 0, `task ${task.id} may start before what its thread waits for`);
}

const COMES_FROM: Readonly<Record<string, readonly string[]>> = {
  TaskApproved: ['proposed'],
  TaskBlocked: ['available'],
  TaskUnblocked: ['blocked'],
  TaskDue: ['deferred'],
  TaskRetried: ['deferred'],
  TaskAnswered: ['awaiting_input'],
  TaskCancelled: ['proposed', 'blocked', 'available', 'deferred', 'awaiting_input'],
};

function move(ledger: Ledger, event: Extract<HallEvent, { state: TaskState }>): void {
  withTask(ledger, event.task, (task) => {
    const from = COMES_FROM[event.type] ?? [];
    ledger.must(from.includes(task.state), `${event.type} of task ${task.id}, ${task.state}`);
    if (event.type === 'TaskDue') {
      ledger.must(ledger.at >= task.until, `task ${task.id} is due too early`);
    }
    if (event.type === 'TaskAnswered') {
      ledger.notes.set(event.answer, (ledger.notes.get(event.answer) ?? 0) + 1);
    }
    setState(ledger, task, event.state);
  });
}

/** The only way a task of the ledger changes state. */
export function setState(ledger: Ledger, task: LedgerTask, state: TaskState): void {
  task.state = state.is;
  task.until = state.is === 'deferred' ? state.until : 0;
  if (state.is === 'available') waitsForNothing(ledger, task);
  if (!isClosed(state)) return;
  ledger.openTasks.delete(task.id);
  ledger.count(state.is);
  const thread = ledger.threads.get(task.thread);
  if (!thread) return;
  thread.open.delete(task.id);
  if (state.is === 'completed') thread.hasCompleted = true;
  if (thread.open.size > 0 || openChildren(ledger, thread).length > 0) return;
  if (cameToSomething(ledger, thread)) return;
  // An open pull request goes to a person.
  if (thread.pr === 'open') return;
  if (state.is === 'cancelled') cancel(ledger, thread);
  else if (state.is !== 'completed') close(thread, 'ended');
}

/** A merged thread, or a completed one without a pull request, stays done whatever ends after it. */
function cameToSomething(ledger: Ledger, thread: LedgerThread): boolean {
  if (thread.pr !== 'none') return thread.pr === 'merged';
  return thread.hasCompleted || someChildIsDone(ledger, thread);
}

/** An ended thread waits for no other. */
function close(thread: LedgerThread, state: 'ended' | 'cancelled'): void {
  thread.state = state;
  thread.waits.clear();
}

/** A parent with nothing done and nothing left ends with its last child. */
function cancel(ledger: Ledger, thread: LedgerThread): void {
  close(thread, 'cancelled');
  const parent = thread.parent === null ? undefined : ledger.threads.get(thread.parent);
  if (parent?.state !== 'open' || parent.open.size > 0) return;
  if (parent.hasCompleted || parent.pr !== 'none') return;
  const states = [...parent.children].map((id) => ledger.threads.get(id)?.state);
  if (states.every((state) => state === 'cancelled')) cancel(ledger, parent);
}

function withTask(ledger: Ledger, id: number, act: (task: LedgerTask) => void): void {
  const task = ledger.openTasks.get(id as LedgerTask['id']);
  if (task) act(task);
  else ledger.fail(`task ${id} is changed though it has ended or never was`);
}

function wanted({
  skill,
  type,
  instance,
  agent,
}: Extract<HallEvent, { type: 'TaskEdited' }>['change']): Partial<LedgerTask> {
  return {
    ...(skill !== undefined && { skill }),
    ...(type !== undefined && { type }),
    ...(instance !== undefined && { instance }),
    ...(agent !== undefined && { agent }),
  };
}

/** A thread that was split is done by its parts. */
function someChildIsDone(ledger: Ledger, { children, grownUp }: LedgerThread): boolean {
  return grownUp > 0 || [...children].some((id) => ledger.threads.get(id)?.state === 'done');
}
