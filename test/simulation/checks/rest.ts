import { why } from '../../../src/domain/why.ts';
import type { Worker } from '../clients/worker.ts';
import type { Network } from '../hall/network.ts';
import type { HallNode } from '../hall/node.ts';
import type { Ledger } from './ledger.ts';

interface Scene {
  readonly ledger: Ledger;
  readonly nodes: readonly HallNode[];
  readonly workers: readonly Worker[];
  readonly network: Network;
}

/** Checks the final state, when the faults are over and no step is left; returns the first violation. */
export function restIsRight(fixture: Scene): string | undefined {
  return (
    someoneLeads(fixture) ??
    everyRunIsAlive(fixture) ??
    everyTaskSaysWhy(fixture) ??
    allAnswered(fixture)
  );
}

function leaderOf({ nodes }: Scene): HallNode | undefined {
  return nodes.find(({ hall }) => hall?.leading() !== undefined);
}

function someoneLeads(fixture: Scene): string | undefined {
  const leading = fixture.nodes.filter(({ hall }) => hall?.leading() !== undefined);
  return leading.length === 1 ? undefined : `${leading.length} nodes lead the hall`;
}

/** The worker of every run is alive and knows its run; otherwise the run would never end. */
function everyRunIsAlive({ ledger, workers }: Scene): string | undefined {
  for (const { id, worker } of ledger.openRuns.values()) {
    const holder = workers.find((each) => each.id === worker);
    if (!holder?.machine.isAlive) return `run ${id} is held by worker ${worker}, which is dead`;
  }
  for (const id of ledger.workers.keys()) {
    const client = workers.find((each) => each.id === id);
    if (!client?.machine.isAlive) return `worker ${id} is dead and still registered`;
  }
  return undefined;
}

/** Every waiting task names the person or the thing that would free it; none waits for nothing. */
function everyTaskSaysWhy(fixture: Scene): string | undefined {
  const writer = leaderOf(fixture)?.hall?.leading()?.writer;
  if (!writer) return undefined;
  const { board, waiters } = writer;
  for (const task of board.tasks.values()) {
    const thread = board.threads.get(task.thread);
    if (!thread) return `task ${task.id} has no thread`;
    const { claimable, reasons } = why(board, task, thread, {
      waiting: waiters,
      recruiting: () => null,
    });
    if (claimable) return `task ${task.id} is claimable, and an eligible worker waits`;
    const nameless = reasons.find(({ because, frees }) => because === '' || frees === '');
    if (nameless || reasons.length === 0) return `task ${task.id} waits for nothing that is named`;
  }
  return undefined;
}

function allAnswered({ network }: Scene): string | undefined {
  const [request] = network.unanswered();
  return request && `${request.verb} ${request.about} was never answered`;
}
