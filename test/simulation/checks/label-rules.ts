import type { Instance } from '../../../src/domain/pool.ts';
import type { Ledger, LedgerTask, LedgerThread, LedgerWorker } from './ledger.ts';

/** Labels decide who may take a task: those that match, else those without labels, else anyone. */
export function mayTake(
  ledger: Ledger,
  task: LedgerTask,
  thread: LedgerThread,
  worker: LedgerWorker,
): void {
  const instance = ledger.instances.get(worker.instance);
  if (!instance) return;
  if (isTaker(ledger, task, thread, instance)) return;
  ledger.fail(`${instance.name} takes task ${task.id}, which belongs to others`);
}

export function isTaker(
  ledger: Ledger,
  task: LedgerTask,
  thread: LedgerThread,
  instance: Instance,
): boolean {
  if (task.instance !== null) return task.instance === instance.name;
  if (task.type !== instance.type) return false;
  const pool = [...ledger.instances.values()].filter(
    ({ type, settings: { enabled, projects } }) =>
      type === task.type && enabled && (!projects || projects.includes(task.project)),
  );
  const matching = pool.filter((other) => overlap(other, thread) > 0);
  const plain = pool.filter((other) => other.settings.matchLabels.length === 0);
  if (matching.length === 0) return (plain.length > 0 ? plain : pool).includes(instance);
  return matching.includes(instance) || (task.waited && plain.includes(instance));
}

function overlap({ settings }: Instance, { labels }: LedgerThread): number {
  return settings.matchLabels.filter((label) => labels.includes(label) && !isOurs(label)).length;
}

function isOurs(label: string): boolean {
  return label.startsWith('hall:');
}

/** The labels of a thread that matter for a type: those that some instance of it requests. */
export function decisiveLabels(ledger: Ledger, type: string, thread: LedgerThread): string {
  const asked = new Set<string>();
  for (const { type: of, settings } of ledger.instances.values()) {
    if (of === type) for (const label of settings.matchLabels) asked.add(label);
  }
  const decisive = thread.labels.filter((label) => asked.has(label) && !isOurs(label));
  return [...new Set(decisive)].sort().join(',');
}
