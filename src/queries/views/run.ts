import type { Ending as EndingOut, Run as RunOut } from '../../api/runs.ts';
import type { Ending, Run, Usage } from '../../domain/run.ts';
import type { LogEntry } from '../../ports/store.ts';
import { runName, taskName, threadName, timeOf, timeOrNull, workerName } from './ids-and-times.ts';
import { rejectionView } from './task.ts';

/** The fence is left out: only the worker may know it. */
export function runView(run: Run): RunOut {
  return {
    id: runName(run.id),
    task: taskName(run.task),
    thread: threadName(run.thread),
    project: run.project,
    worker: workerName(run.worker),
    instance: run.instance,
    agent: run.agent,
    invoker: run.invoker,
    credits: run.credits,
    claimed_at: timeOf(run.claimedAt),
    started_at: timeOrNull(run.startedAt),
    target_seconds: run.target === undefined ? null : run.target / 1000,
    over_target_since: timeOrNull(run.overTargetSince),
    limit_seconds: run.limit / 1000,
    usage: usageView(run.usage),
    ending: run.ending && endingView(run.ending),
  };
}

export function usageView(usage: Usage) {
  return {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    turns: usage.turns,
    cost_usd: usage.costUsd,
  };
}

export function endingView(ending: Ending): EndingOut {
  return {
    at: timeOf(ending.at),
    how: ending.how,
    ...('outcome' in ending && { outcome: ending.outcome }),
    ...('reason' in ending && { outcome: ending.reason }),
    ...('result' in ending && ending.result),
    ...('rejection' in ending && { rejection: rejectionView(ending.rejection) }),
    ...('question' in ending && { question: ending.question, session: ending.session }),
    ...('until' in ending && { until: timeOf(ending.until), because: ending.why }),
    ...('because' in ending && { because: ending.because }),
  };
}

export function entryView({ run, n, at, text }: LogEntry) {
  return { run: runName(run), n, at: timeOf(at), text };
}
