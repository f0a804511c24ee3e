import type { Board } from './board.ts';
import { dropBaseResults } from './checking/base-results.ts';
import type { HallEvent } from './event.ts';
import type { ThreadId } from './ids.ts';
import { withTypeDefaults } from './pool.ts';
import { type Project, withProjectDefaults } from './project.ts';
import type { Invoker } from './quota.ts';
import { requestedLabels } from './routing.ts';
import type { Row } from './row.ts';
import { haveSameValues } from './same-values.ts';
import { addToQueue, removeFromQueue } from './thread-queue.ts';

type PoolEvent = Extract<
  HallEvent,
  {
    type:
      | 'QuotaWindowOpened'
      | 'ProjectSet'
      | 'ProjectPaused'
      | 'ProjectResumed'
      | 'ProjectRemoved'
      | 'TypeSet'
      | 'TypeRemoved'
      | 'PersonaSet'
      | 'PersonaRemoved'
      | 'InstanceSet'
      | 'InstanceRemoved'
      | 'InvokerSet'
      | 'InvokerRemoved'
      | 'InvokerParked'
      | 'InvokerUnparked'
      | 'InvokerCredentialMissing'
      | 'InvokerCredentialFound'
      | 'TokenCreated'
      | 'TokenRevoked';
  }
>;

/** Applies what operators set up: projects, types, instances, invokers, tokens. */
export function evolvePool(board: Board, event: PoolEvent): readonly Row[] {
  switch (event.type) {
    case 'QuotaWindowOpened':
      return openWindow(board, event.window);
    case 'ProjectSet':
      return setProject(board, event.project);
    case 'ProjectPaused':
      return changeProject(board, event.project, { paused: event.pause });
    case 'ProjectResumed':
      return changeProject(board, event.project, { paused: null });
    case 'ProjectRemoved':
      board.projects.delete(event.project);
      board.lastServed.delete(event.project);
      return [
        { table: 'project', key: event.project, row: null },
        ...dropBaseResults(board, event.project),
      ];
    case 'TypeSet':
    case 'TypeRemoved':
      return evolveType(board, event);
    case 'PersonaSet':
      board.personas.set(event.persona.slug, event.persona);
      return [{ table: 'persona', key: event.persona.slug, row: event.persona }];
    case 'PersonaRemoved':
      board.personas.delete(event.persona);
      return [{ table: 'persona', key: event.persona, row: null }];
    case 'InstanceSet':
    case 'InstanceRemoved':
      return evolveInstance(board, event);
    case 'InvokerSet':
      board.invokers.set(event.invoker.handle, event.invoker);
      board.wakeups.all = true;
      return [{ table: 'invoker', key: event.invoker.handle, row: event.invoker }];
    case 'InvokerRemoved':
      board.invokers.delete(event.invoker);
      return [{ table: 'invoker', key: event.invoker, row: null }];
    case 'InvokerParked':
      return changeInvoker(board, event.invoker, {
        parkedUntil: event.until,
        parkedBecause: event.because,
      });
    case 'InvokerUnparked':
      return changeInvoker(board, event.invoker, { parkedUntil: null, parkedBecause: null });
    case 'InvokerCredentialMissing':
      return changeInvoker(board, event.invoker, { credentialFault: event.because });
    case 'InvokerCredentialFound':
      return changeInvoker(board, event.invoker, { credentialFault: null });
    case 'TokenCreated':
      board.tokens.set(event.token.name, event.token);
      return [{ table: 'token', key: event.token.name, row: event.token }];
    case 'TokenRevoked':
      board.tokens.delete(event.token);
      return [{ table: 'token', key: event.token, row: null }];
  }
}

function setProject(board: Board, project: Project): readonly Row[] {
  const before = board.projects.get(project.name);
  board.projects.set(project.name, withProjectDefaults(project));
  board.wakeups.projects.add(project.name);
  const row: Row = { table: 'project', key: project.name, row: project };
  const isSame = before && haveSameValues(checkSetup(before), checkSetup(project));
  return isSame ? [row] : [row, ...dropBaseResults(board, project.name)];
}

/** What the result of the checks on a commit depends on. */
function checkSetup({ settings: { repo, setup, checks } }: Project) {
  return { repo, setup, checks };
}

function changeProject(board: Board, name: string, change: Partial<Project>): readonly Row[] {
  const project = board.projects.get(name);
  return project ? setProject(board, { ...project, ...change }) : [];
}

function changeInvoker(board: Board, handle: string, change: Partial<Invoker>): readonly Row[] {
  const invoker = board.invokers.get(handle);
  if (!invoker) return [];
  const row = { ...invoker, ...change };
  board.invokers.set(handle, row);
  if (change.parkedUntil === null) board.wakeups.all = true;
  if (change.credentialFault === null) board.wakeups.all = true;
  return [{ table: 'invoker', key: handle, row }];
}

/** Starts a new week: resets the spent credits and keeps those reserved by running work. */
function openWindow(board: Board, window: number): readonly Row[] {
  board.setHall({ ...board.hall, window });
  board.wakeups.all = true;
  const rows: Row[] = [{ table: 'hall', key: 'hall', row: board.hall }];
  for (const [handle, invoker] of [...board.invokers.entries()]) {
    if (invoker.used === 0) continue;
    const row = { ...invoker, used: 0 };
    board.invokers.set(handle, row);
    rows.push({ table: 'invoker', key: handle, row });
  }
  return rows;
}

function evolveType(
  board: Board,
  event: Extract<PoolEvent, { type: 'TypeSet' | 'TypeRemoved' }>,
): readonly Row[] {
  const name = event.type === 'TypeSet' ? event.agentType.name : event.agentType;
  const before = board.types.get(name)?.settings.labelWait ?? null;
  const row = event.type === 'TypeSet' ? event.agentType : null;
  const set = () => {
    if (row) board.types.set(name, withTypeDefaults(row));
    else board.types.delete(name);
  };
  if (before === (row?.settings.labelWait ?? null)) set();
  else reshapeType(board, name, set);
  // Without the need for a model, its tasks need no payer either.
  board.wakeups.all = true;
  return [{ table: 'type', key: name, row }];
}

function evolveInstance(
  board: Board,
  event: Extract<PoolEvent, { type: 'InstanceSet' | 'InstanceRemoved' }>,
): readonly Row[] {
  const name = event.type === 'InstanceSet' ? event.instance.name : event.instance;
  const row = event.type === 'InstanceSet' ? event.instance : null;
  const types = new Set([board.instances.get(name)?.type, row?.type]);
  if (row) board.instances.set(name, row);
  else board.instances.delete(name);
  board.eligible = new WeakMap();
  board.wakeups.all = true;
  for (const type of types) if (type !== undefined) followLabels(board, type);
  return [{ table: 'instance', key: name, row }];
}

/** Tasks change buckets only when a label becomes relevant or irrelevant. */
function followLabels(board: Board, type: string): void {
  const requested = requestedLabels(board, type);
  if (board.requestedLabels.get(type)?.join('\n') === requested?.join('\n')) return;
  reshapeType(board, type, () => {
    if (requested) board.requestedLabels.set(type, requested);
    else board.requestedLabels.delete(type);
  });
}

/** Removes a type's threads from the queue under the old rules and adds them under the new ones. */
function reshapeType(board: Board, type: string, change: () => void): void {
  const ids = new Set<ThreadId>();
  for (const task of board.tasks.values()) if (task.type === type) ids.add(task.thread);
  const threads = [...ids]
    .map((id) => board.threads.get(id))
    .filter((thread) => thread !== undefined);
  for (const thread of threads) removeFromQueue(board, thread);
  change();
  for (const thread of threads) addToQueue(board, thread);
}
