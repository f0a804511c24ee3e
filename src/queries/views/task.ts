import type { Task as TaskOut, Why as WhyOut } from '../../api/tasks.ts';
import type { Reason } from '../../domain/reason.ts';
import type { Rejection, Task, TaskState } from '../../domain/task.ts';
import { progressOf, type Thread } from '../../domain/thread.ts';
import type { Why } from '../../domain/why.ts';
import { runName, taskName, threadName, timeOf, timeOrNull } from './ids-and-times.ts';

export function taskView(task: Task, thread: Thread | undefined, title: string): TaskOut {
  return {
    id: taskName(task.id),
    thread: threadName(task.thread),
    project: task.project,
    title,
    skill: task.skill,
    type: task.type,
    instance: task.instance,
    agent: task.agent,
    size: thread?.size ?? 'M',
    labels: [...(thread?.labels ?? [])],
    posted_by: task.actor,
    posted_at: timeOf(task.postedAt),
    crashes: task.crashes,
    reopens: task.reopens === null ? null : taskName(task.reopens),
    progress: thread ? progressOf(thread) : null,
    ...stateView(task.state),
  };
}

type StateOut = Pick<TaskOut, 'state' | 'since'> & Partial<TaskOut>;

/** The name of a state and the facts it carries. */
export function stateView(state: TaskState): StateOut {
  return {
    state: state.is,
    since: timeOf(state.since),
    ...('until' in state && { until: timeOf(state.until) }),
    ...('why' in state && { because: state.why }),
    ...('run' in state && { run: runName(state.run) }),
    ...('question' in state && { question: state.question }),
    ...('outcome' in state && { outcome: state.outcome }),
    ...('reason' in state && { outcome: state.reason }),
    ...('summary' in state && { summary: state.summary }),
    ...('rejection' in state && { rejection: rejectionView(state.rejection) }),
    ...('by' in state && { cancelled_by: state.by }),
  };
}

export function rejectionView(rejection: Rejection) {
  return {
    reason_code: rejection.reasonCode,
    message: rejection.message,
    missing: [...rejection.missing],
    questions: [...rejection.questions],
    suggested_size: rejection.suggestedSize,
  };
}

export function whyView(why: Why): WhyOut {
  return {
    state: why.state,
    since: timeOf(why.since),
    claimable: why.claimable,
    reasons: why.reasons.map(reasonView),
    ahead: why.ahead,
    takers: why.takers.map(({ instance, reasons }) => ({
      instance,
      reasons: reasons.map(reasonView),
    })),
  };
}

function reasonView({ rule, because, frees, until }: Reason) {
  return { rule, because, frees, until: timeOrNull(until) };
}
