import type { Board } from './board.ts';
import {
  creditRule,
  eligibilityRule,
  hallRule,
  instanceRule,
  projectRule,
  workerRule,
} from './claim-rules.ts';
import type { Waiting } from './claiming.ts';
import type { Instance } from './pool.ts';
import { isRefusal, type Refusal, type RefusalCode, refuse } from './refusal.ts';
import type { Worker } from './worker.ts';

export interface IdleReason {
  readonly rule: RefusalCode;
  readonly because: string;
  /** The project that the rule applies to, or null for all projects. */
  readonly project: string | null;
}

/** Why a worker gets no task: every rule that refuses it, by the same rules that decide a claim. */
export function whyIdle(board: Board, worker: Worker, waiting: Waiting): readonly IdleReason[] {
  const instance = board.instances.get(worker.instance);
  if (!instance) {
    return [reason(refuse('unknown_instance', `${worker.instance} is not in the pool`), null)];
  }
  const general = [hallRule(board), workerRule(worker), instanceRule(board, instance)]
    .filter((refusal) => refusal !== undefined)
    .map((refusal) => reason(refusal, null));
  const claimant = { worker, instance, waiting };
  const projects = [...board.projects.values()].flatMap((project) => {
    const refusal =
      projectRule(board, project, claimant) ?? waitingRule(board, project.name, claimant);
    return refusal ? [reason(refusal, project.name)] : [];
  });
  return [...general, ...projects];
}

interface Claimant {
  readonly worker: Worker;
  readonly instance: Instance;
  readonly waiting: Waiting;
}

/** Why the worker cannot take the waiting tasks of a project it may work in. */
function waitingRule(board: Board, project: string, claimant: Claimant): Refusal | undefined {
  const { worker, instance, waiting } = claimant;
  let found: Refusal = refuse('nothing_claimable', `no task in ${project} is waiting to start`);
  for (const { route, waiting: tasks } of board.ready.bucketsOf(project)) {
    if (tasks.size === 0) continue;
    const others = eligibilityRule(board, route, instance, waiting);
    if (!others) {
      const payer = creditRule(board, project, worker);
      return isRefusal(payer) ? payer : undefined;
    }
    found = others;
  }
  return found;
}

function reason({ refused, because }: Refusal, project: string | null): IdleReason {
  return { rule: refused, because, project };
}
