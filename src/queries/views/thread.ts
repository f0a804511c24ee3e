import type { Note as NoteOut, Thread as ThreadOut } from '../../api/threads.ts';
import { mendedChecks } from '../../domain/checking/compare-with-base.ts';
import type { Note } from '../../domain/row.ts';
import { type Checks, knownPullRequest, progressOf, type Thread } from '../../domain/thread.ts';
import { pauseView, runName, taskName, threadName, timeOf } from './ids-and-times.ts';

export function threadView(thread: Thread, title: string, mergeWaits: string | null): ThreadOut {
  const { forge } = thread;
  const pr = knownPullRequest(forge.pr);
  return {
    id: threadName(thread.id),
    project: thread.project,
    title,
    state: thread.state,
    labels: [...thread.labels],
    size: thread.size,
    agent: thread.agent,
    parent: thread.parent === null ? null : threadName(thread.parent),
    depends_on: thread.dependsOn.map(threadName),
    blocked_by: thread.blockedBy.map(threadName),
    children: thread.children,
    children_done: thread.childrenDone,
    progress: progressOf(thread),
    handed_over: pauseView(thread.handedOver),
    issue: forge.issue && { number: forge.issue.number, url: forge.issue.url },
    pr: pr && { number: pr.number, url: pr.url, state: pr.state },
    merge_forced: pr?.forced === true,
    branch: forge.branch,
    head: forge.head,
    checks: forge.checks && checksView(forge.checks),
    verdict: forge.verdict,
    merge_requested_by: forge.mergeRequestedBy,
    merge_waiting_for: mergeWaits,
    review_rounds: forge.rounds,
    ci_retries: forge.ciRetries,
    opened_at: timeOf(thread.openedAt),
    tasks: thread.tasks.map(taskName),
  };
}

function checksView(checks: Checks): NonNullable<ThreadOut['checks']> {
  const { commit, is, failing, base = null } = checks;
  return {
    commit,
    is,
    failing: [...failing],
    base: base && { ...base, failing: base.failing && [...base.failing] },
    mended: [...mendedChecks(checks)],
  };
}

export function noteView(note: Note): NoteOut {
  return {
    seq: note.seq,
    task: taskName(note.task),
    run: note.run === null ? null : runName(note.run),
    by: note.by,
    at: timeOf(note.at),
    kind: note.kind,
    text: note.text,
  };
}
