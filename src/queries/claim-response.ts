import type { Claim } from '../api/runs.ts';
import type { Hall, LeadingHall } from '../board/hall.ts';
import type { Claimed } from '../domain/claiming.ts';
import type { Duration, ThreadId } from '../domain/ids.ts';
import type { Run } from '../domain/run.ts';
import { knownPullRequest, type Thread } from '../domain/thread.ts';
import { createTaskTexts } from './task-texts.ts';
import { runName, taskName, threadName, timeOf } from './views/ids-and-times.ts';
import { endingView } from './views/run.ts';

export interface ClaimResponses {
  /** Everything a worker needs to start, or undefined when the run has already ended. */
  answer(claimed: Claimed): Promise<Claim | undefined>;
}

/** Builds the answers to claims. */
export function createClaimResponses(hall: Hall, heartbeat: Duration): ClaimResponses {
  const { board, store, times } = hall;
  const texts = createTaskTexts(store);
  const untouched = createUntouched(hall);

  async function workBefore(thread: Thread, run: Run) {
    const { notes, runs } = await store.workBefore(thread.id, run.task);
    return {
      notes: notes.map(({ kind, by, at, text }) => ({ kind, by, at: timeOf(at), text })),
      previous: runs.flatMap(({ id, ending }) =>
        ending ? [{ run: runName(id), ending: endingView(ending) }] : [],
      ),
    };
  }

  return {
    async answer({ run: id, fence }) {
      const run = board.runs.get(id);
      const task = run && board.tasks.get(run.task);
      const thread = task && board.threads.get(task.thread);
      if (!run || !task || !thread) return undefined;
      const repo = board.projects.get(task.project)?.settings.repo ?? null;
      const isUntouched = untouched.take(thread.id);
      const text = await texts.of(task.id);
      const before = isUntouched ? NOTHING_BEFORE : await workBefore(thread, run);
      if (!text) throw new Error(`the text of task ${task.id} is not in the store`);
      return {
        run: runName(id),
        fence,
        lease_seconds: times.lease / 1000,
        heartbeat_seconds: heartbeat / 1000,
        target_seconds: run.target === undefined ? null : run.target / 1000,
        limit_seconds: run.limit / 1000,
        task: {
          id: taskName(task.id),
          thread: threadName(thread.id),
          project: task.project,
          repo,
          ...text,
          skill: task.skill,
          type: task.type,
          agent: task.agent,
          size: thread.size,
          labels: [...thread.labels],
          branch: thread.forge.branch,
          pr: knownPullRequest(thread.forge.pr),
          ...before,
        },
      };
    },
  };
}

const NOTHING_BEFORE = { notes: [], previous: [] };

const MAX_TAKEN = 100_000;

/**
 * Threads without any work yet, which have no notes or earlier runs to read. This is certain for
 * threads opened while this node leads; for others the hall asks the store.
 */
function createUntouched({ board, leading }: Hall) {
  let term: LeadingHall | undefined = leading();
  let since = board.seq;
  const taken = new Set<ThreadId>();

  function forgetClosed(): void {
    for (const id of taken) if (!board.threads.has(id)) taken.delete(id);
  }

  return {
    /** True only the first time a thread is worked on. */
    take(thread: ThreadId): boolean {
      const now = leading();
      if (now !== term) {
        term = now;
        since = board.seq;
        taken.clear();
      }
      if (thread <= since || taken.has(thread)) return false;
      if (taken.size >= MAX_TAKEN) forgetClosed();
      taken.add(thread);
      return true;
    },
  };
}
