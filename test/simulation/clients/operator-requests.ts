import type { Decide } from '../../../src/board/command.ts';
import type { Decision } from '../../../src/domain/decision.ts';
import { type Edit, edit } from '../../../src/domain/editing.ts';
import type { TaskId, ThreadId } from '../../../src/domain/ids.ts';
import { markMerged } from '../../../src/domain/merging/merged.ts';
import {
  answer,
  approve,
  cancel,
  handBack,
  handOver,
  release,
  retry,
} from '../../../src/domain/operator-actions.ts';
import { reopen } from '../../../src/domain/reopening.ts';
import type { Keys } from '../../../src/ports/store.ts';
import type { Ledger, LedgerTask, LedgerThread } from '../checks/ledger.ts';
import type { Request } from '../hall/message.ts';
import { onceWritten } from './lease-requests.ts';
import type { OperatorContext } from './operator.ts';
import { keysFor } from './post-requests.ts';

/** Requests of operators about single tasks and threads. */
export const OPERATOR_REQUESTS = {
  cancel: (operator: OperatorContext, key: string) =>
    toTask(operator, key, {
      verb: 'cancel',
      which: () => true,
      decide: (task) => (board, now, recalled) =>
        cancel(board, recalled, { task, because: 'not wanted' }, now),
      proof: (task) => (ledger) => isNow(ledger, task, 'cancelled'),
    }),
  release: (operator: OperatorContext, key: string) =>
    toTask(operator, key, {
      verb: 'release',
      which: (task) => task.state === 'held',
      decide: (task) => (board, now, recalled) =>
        release(board, recalled, { task, because: 'stuck' }, now),
    }),
  retry: (operator: OperatorContext, key: string) =>
    toTask(operator, key, {
      verb: 'retry',
      which: (task) => task.state === 'deferred',
      decide: (task) => (board, now, recalled) => retry(board, recalled, task, now),
    }),
  answer: (operator: OperatorContext, key: string) =>
    toTask(operator, key, {
      verb: 'answer',
      which: (task) => task.state === 'awaiting_input',
      decide: (task) => (board, now, recalled) =>
        answer(board, recalled, { task, text: `answer ${key}` }, now),
      proof: () => (ledger) => onceWritten(ledger, `answer ${key}`),
    }),
  approve: (operator: OperatorContext, key: string) =>
    toTask(operator, key, {
      verb: 'approve',
      which: (task) => task.state === 'proposed',
      decide: (task) => (board, now, recalled) =>
        approve(board, recalled, { task, only: null }, now),
      proof: (task) => (ledger) =>
        ledger.tasks.get(task)?.state === 'proposed' ? `task ${task} is proposed` : undefined,
    }),
  reopen: reopening,
  edit: editing,
  handOver: (operator: OperatorContext, key: string) =>
    toThread(operator, key, {
      verb: 'hand over',
      which: ({ state }) => state === 'open',
      decide: (thread) => (board, now) => handOver(board, { thread, because: null }, now),
    }),
  handBack: (operator: OperatorContext, key: string) =>
    toThread(operator, key, {
      verb: 'hand back',
      which: ({ isHandedOver }) => isHandedOver,
      decide: (thread) => (board, now) => handBack(board, thread, now),
    }),
  markMerged: (operator: OperatorContext, key: string) =>
    toThread(operator, key, {
      verb: 'mark-merged',
      which: ({ pr }) => pr === 'open',
      decide: (thread) => (board, now) => markMerged(board, thread, now),
    }),
} as const;

interface ToTask {
  readonly verb: string;
  readonly which: (task: LedgerTask) => boolean;
  readonly decide: (task: TaskId) => Decide<unknown>;
  readonly proof?: (task: TaskId) => (ledger: Ledger, body: string) => string | undefined;
}

/** Does it to an open task of the kind, now and then to one that has ended. */
function toTask(operator: OperatorContext, key: string, { verb, which, decide, proof }: ToTask) {
  const { ledger, world } = operator;
  const open = [...ledger.openTasks.values()].filter(which);
  const task = world.random.any(world.random.chance(0.03) ? [...ledger.tasks.values()] : open);
  if (!task) return undefined;
  return asked(key, {
    verb,
    about: String(task.id),
    change: { keys: { tasks: [task.id] }, decide: decide(task.id) },
    ...(proof && { proof: proof(task.id) }),
  });
}

interface ToThread {
  readonly verb: string;
  readonly which: (thread: LedgerThread) => boolean;
  readonly decide: (thread: ThreadId) => Decide<unknown>;
}

function toThread(
  { ledger, world }: OperatorContext,
  key: string,
  { verb, which, decide }: ToThread,
) {
  const thread = world.random.any([...ledger.threads.values()].filter(which));
  if (!thread) return undefined;
  return asked(key, { verb, about: String(thread.id), change: { decide: decide(thread.id) } });
}

function reopening({ ledger, world }: OperatorContext, key: string): Request | undefined {
  const closed = [...ledger.tasks.values()].filter(({ id }) => !ledger.openTasks.has(id));
  const lively = closed.filter(({ thread }) => ledger.threads.get(thread)?.state === 'open');
  const task = world.random.any(world.random.chance(0.5) ? lively : closed);
  if (!task) return undefined;
  const title = `${key} reopens`;
  const after = ledger.threads.get(task.thread)?.after ?? [];
  return asked(key, {
    verb: 'reopen',
    about: String(task.id),
    change: {
      keys: { tasks: [task.id], threads: [task.thread, ...after] },
      decide: (board, now, recalled): Decision<TaskId> =>
        reopen(board, recalled, { task: task.id, title, body: '' }, now),
    },
    proof: (known, body) =>
      known.tasks.get(Number(body) as TaskId)?.title === title && known.titles.get(title) === 1
        ? undefined
        : `task ${body}, which reopens ${task.id}, is not stored once`,
  });
}

function editing(operator: OperatorContext, key: string): Request | undefined {
  const { ledger, world } = operator;
  const open = [...ledger.openTasks.values()];
  const crowded = open.filter(({ thread }) => (ledger.threads.get(thread)?.open.size ?? 0) > 1);
  const isCrowded = crowded.length > 0 && world.random.chance(0.5);
  const task = world.random.any(isCrowded ? crowded : open);
  if (!task) return undefined;
  // Tasks of one thread get in each other's way most when they are not the same agent's.
  const kind = isCrowded && world.random.chance(0.6) ? 'agent' : undefined;
  const change = changeOf(operator, task, kind);
  const keys: Keys = keysFor(ledger, [{ dependsOn: change.dependsOn ?? [] }]);
  return asked(key, {
    verb: 'edit',
    about: `${task.id} ${JSON.stringify(change)}`,
    change: {
      keys: { ...keys, tasks: [task.id, ...(keys.tasks ?? [])] },
      decide: (board, now, recalled) => edit(board, recalled, { task: task.id, change }, now),
    },
  });
}

const EDITS = ['labels', 'free', 'size', 'agent', 'wait'] as const;

function changeOf(
  { ledger, world, stage }: OperatorContext,
  task: LedgerTask,
  kind: (typeof EDITS)[number] = world.random.pick(EDITS),
): Edit {
  const { random } = world;
  const here = [...ledger.tasks.values()].filter(({ project }) => project === task.project);
  switch (kind) {
    case 'labels':
      return { labels: stage.staging.labels.filter(() => random.chance(0.5)) };
    case 'free':
      return { dependsOn: [] };
    case 'size':
      return { size: random.pick(['S', 'M', 'XL']) };
    case 'agent':
      return { agent: random.any(Object.keys(stage.staging.instances)) ?? null };
    case 'wait':
      return { dependsOn: [{ task: random.pick(here).id }] };
  }
}

function asked(key: string, rest: Pick<Request, 'verb' | 'about' | 'change' | 'proof'>): Request {
  return { actor: `operator:${key}`, key, ...rest };
}

function isNow(ledger: Ledger, id: TaskId, state: string): string | undefined {
  const is = ledger.tasks.get(id)?.state;
  return is === state ? undefined : `task ${id} was said to be ${state} and is ${is}`;
}
