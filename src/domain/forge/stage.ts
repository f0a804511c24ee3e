import type { Board } from '../board.ts';
import { mergeWait } from '../merging/policy.ts';
import { maxRetriesIn } from '../retry-limits.ts';
import { isAwaitingInput, isDeferred, isHeld, type Task } from '../task.ts';
import { isDone, isOpen, type Thread } from '../thread.ts';

/** The stages of a status card. */
const STAGES = [
  'dispatching',
  'analyzing',
  'awaiting-input',
  'queued',
  'working',
  'pr-opened',
  'ci-fix',
  'escalated',
  'failed',
  'done',
] as const;

export interface Stage {
  readonly is: (typeof STAGES)[number];
  /** What people should know beyond the stage; empty when there is nothing. */
  readonly details: string;
}

/** Skills that change nothing: the agent reads, and says what it found. */
const ANALYZING = [
  'advise',
  'research',
  'triage',
  'decompose',
  'breakdown',
  'review',
  'post-mortem',
];

/** How far a thread is. `wait` says why its next task does not run, if it does not. */
export function stageOf(board: Board, thread: Thread, wait: string | null): Stage {
  if (!isOpen(thread)) return endedStage(thread);
  const { handedOver } = thread;
  if (handedOver) return { is: 'escalated', details: handedOver.because ?? `by ${handedOver.by}` };
  const task = currentTask(board, thread);
  if (task) return stageOfTask(task, { thread, attempts: attemptsIn(board, thread), wait });
  return { is: 'pr-opened', details: mergeWait(board, thread) ?? '' };
}

function endedStage(thread: Thread): Stage {
  if (!isDone(thread)) return { is: 'failed', details: `the thread is ${thread.state}` };
  const isMerged = thread.forge.pr?.state === 'merged';
  return { is: 'done', details: isMerged ? 'merged, task complete' : '' };
}

/** The task that a worker has, else the oldest. */
function currentTask(board: Board, { tasks }: Thread): Task | undefined {
  const open = tasks.flatMap((id) => board.tasks.get(id) ?? []);
  return open.find(({ state }) => isHeld(state)) ?? open[0];
}

function attemptsIn(board: Board, thread: Thread): number {
  const project = board.projects.get(thread.project);
  return project ? maxRetriesIn(board, thread, project.settings) : 0;
}

interface Around {
  readonly thread: Thread;
  /** How often agents may try to fix the checks. */
  readonly attempts: number;
  readonly wait: string | null;
}

function stageOfTask({ state, skill }: Task, { thread, attempts, wait }: Around): Stage {
  if (isAwaitingInput(state)) return { is: 'awaiting-input', details: state.question };
  if (isDeferred(state)) return { is: 'queued', details: state.why };
  if (!isHeld(state)) {
    return wait === null ? { is: 'dispatching', details: '' } : { is: 'queued', details: wait };
  }
  // The worker prepares the workspace; no agent has started.
  if (state.is === 'claimed') return { is: 'dispatching', details: '' };
  if (skill === 'fix-ci') {
    const details = `attempt ${thread.forge.ciRetries} of ${attempts}`;
    return { is: 'ci-fix', details };
  }
  return { is: ANALYZING.includes(skill) ? 'analyzing' : 'working', details: '' };
}
