import type { HallEvent, Recorded } from '../../../src/domain/event.ts';
import type { RunId, WorkerId } from '../../../src/domain/ids.ts';
import type { Ending } from '../../../src/domain/run.ts';
import type { TaskState } from '../../../src/domain/task.ts';
import { readClaim } from './claim-rules.ts';
import type { Ledger, LedgerRun } from './ledger.ts';
import { finish, setState } from './thread-events.ts';

/** Events of workers and their runs. False for any other event. */
export function readRun(ledger: Ledger, event: HallEvent, { actor, cause }: Recorded): boolean {
  switch (event.type) {
    case 'WorkerRegistered':
      return register(ledger, event.worker);
    case 'WorkerDraining':
      return withWorker(ledger, event.worker, (worker) => {
        worker.isDraining = true;
      });
    case 'WorkerDeregistered':
      return dismiss(ledger, event.worker);
    case 'RunClaimed':
      readClaim(ledger, event.run);
      return true;
    case 'RunStarted':
      return withRun(ledger, event.run, actor, (run) => {
        ledger.must(run.startedAt === null, `run ${run.id} starts twice`);
        run.startedAt = ledger.now();
      });
    case 'TargetExceeded':
      return withRun(ledger, event.run, actor, (run) => {
        const worked = ledger.now() - (run.startedAt ?? ledger.now());
        ledger.must(worked >= run.target, `run ${run.id} exceeds its target after ${worked}`);
        ledger.must(!run.isOverTarget, `run ${run.id} exceeds its target twice`);
        run.isOverTarget = true;
      });
    case 'UsageRecorded':
      return withRun(ledger, event.run, actor, (run) => spend(ledger, run));
    case 'NoteAdded':
      return withRun(ledger, event.run, actor, () => {
        ledger.notes.set(event.note, (ledger.notes.get(event.note) ?? 0) + 1);
      });
    case 'RunEnded':
      return withRun(ledger, event.run, actor, (run) => end(ledger, run, { ...event, cause }));
    default:
      return false;
  }
}

function register(
  ledger: Ledger,
  {
    id,
    instance,
    projects,
    bringsModel,
  }: Extract<HallEvent, { type: 'WorkerRegistered' }>['worker'],
): true {
  ledger.must(id === ledger.seq, `worker ${id} is not numbered by its event`);
  ledger.workers.set(id, { id, instance, projects, bringsModel, isDraining: false, run: null });
  return true;
}

function dismiss(ledger: Ledger, id: WorkerId): true {
  return withWorker(ledger, id, (worker) => {
    ledger.must(worker.run === null, `worker ${id} is gone and has run ${worker.run}`);
    ledger.workers.delete(id);
    ledger.gone.add(id);
  });
}

function withWorker(
  ledger: Ledger,
  id: WorkerId,
  act: (worker: NonNullable<ReturnType<Ledger['workers']['get']>>) => void,
): true {
  const worker = ledger.workers.get(id);
  if (worker) act(worker);
  else ledger.fail(`worker ${id} is not registered`);
  return true;
}

/** A run that has ended is never changed again, and no worker changes another's. */
function withRun(ledger: Ledger, id: RunId, actor: string, act: (run: LedgerRun) => void): true {
  const run = ledger.openRuns.get(id);
  if (!run) {
    ledger.fail(`run ${id} is changed by ${actor} though it has ended`);
    return true;
  }
  const isStranger = actor.startsWith('worker:') && actor !== `worker:w-${run.worker}`;
  ledger.must(!isStranger, `${actor} changes run ${id} of worker ${run.worker}`);
  act(run);
  return true;
}

function spend(ledger: Ledger, run: LedgerRun): void {
  if (run.committed) return;
  run.committed = true;
  const invoker = ledger.invokers.get(run.invoker ?? '');
  if (!invoker) return;
  invoker.reserved -= run.credits;
  invoker.used += run.credits;
  ledger.must(invoker.reserved >= 0, `${run.invoker} has reserved less than nothing`);
}

interface Ended {
  readonly ending: Ending;
  readonly task: TaskState;
  readonly done?: true;
  readonly cause: string;
}

function end(ledger: Ledger, run: LedgerRun, ended: Ended): void {
  const { ending, task: state } = ended;
  run.ended = ending.how;
  ledger.count(`ended: ${ending.how}`);
  ledger.openRuns.delete(run.id);
  ledger.threads.get(run.thread)?.runs.delete(run.id);
  const worker = ledger.workers.get(run.worker);
  if (worker?.run === run.id) worker.run = null;
  giveCreditBack(ledger, run);
  const task = ledger.openTasks.get(run.task);
  if (task?.run !== run.id) return ledger.fail(`run ${run.id} ends without having its task`);
  task.run = null;
  if (ending.how === 'lost') task.crashes += 1;
  const thread = ledger.threads.get(run.thread);
  if (ending.how === 'completed' && ending.result.pr && thread) thread.pr = 'open';
  endsRightly(ledger, run, ended);
  setState(ledger, task, state);
  if (ended.done) finish(ledger, run.thread);
}

function giveCreditBack(ledger: Ledger, run: LedgerRun): void {
  const invoker = ledger.invokers.get(run.invoker ?? '');
  if (invoker && !run.committed) invoker.reserved -= run.credits;
}

const LEADS_TO: Readonly<Record<Ending['how'], readonly string[]>> = {
  completed: ['completed'],
  failed: ['failed'],
  rejected: ['rejected'],
  asked: ['awaiting_input'],
  deferred: ['deferred'],
  lost: ['available', 'blocked', 'failed'],
  released: ['available', 'blocked'],
  cancelled: ['cancelled'],
};

function endsRightly(ledger: Ledger, run: LedgerRun, { ending, task, cause }: Ended): void {
  const { how } = ending;
  ledger.must(LEADS_TO[how].includes(task.is), `run ${run.id} ${how}, its task is ${task.is}`);
  if (how === 'failed' && cause === 'chore: time limit') {
    const worked = ledger.now() - (run.startedAt ?? ledger.now());
    ledger.must(worked >= run.limit, `run ${run.id} is cut off after ${worked} of ${run.limit}`);
  }
  if (how !== 'lost') return;
  const crashes = ledger.tasks.get(run.task)?.crashes ?? 0;
  const limit = ledger.projects.get(run.project)?.settings.crashRequeues ?? 0;
  const isGivenUp = task.is === 'failed';
  ledger.must(
    isGivenUp === crashes > limit,
    `task ${run.task} was lost ${crashes} times of ${limit} and is ${task.is}`,
  );
}
