import type { Ledger, LedgerWorker } from './ledger.ts';

/** Why nothing of a project can go to this worker, in words. */
export function pausedFor(ledger: Ledger, name: string, worker: LedgerWorker): string | undefined {
  const project = ledger.projects.get(name);
  if (!project) return `project ${name} is unknown`;
  if (project.paused) return `project ${name} is paused`;
  let running = 0;
  for (const run of ledger.openRuns.values()) if (run.project === name) running += 1;
  const { maxWorkers } = project.settings;
  if (running >= maxWorkers) return `project ${name} runs ${running} of ${maxWorkers}`;
  const allowed = ledger.instances.get(worker.instance)?.settings.projects ?? null;
  if (allowed && !allowed.includes(name)) return `${worker.instance} may not work in ${name}`;
  const { projects } = worker;
  if (projects && !projects.includes(name)) return `worker ${worker.id} may not work in ${name}`;
  return undefined;
}

/** Whether anybody would pay for one more run in the project. */
export function hasCredit(ledger: Ledger, project: string, worker: LedgerWorker): boolean {
  if (worker.bringsModel) return true;
  for (const invoker of ledger.invokers.values()) {
    const { used, reserved, cap, projects, isPaused, isParked } = invoker;
    if (isPaused || isParked || (projects && !projects.includes(project))) continue;
    if (used + reserved + 1 <= cap) return true;
  }
  return false;
}

const READS = ['review', 'breakdown', 'triage', 'decompose', 'post-mortem', 'advise', 'research'];

export function writes(skill: string): boolean {
  return !READS.includes(skill);
}
