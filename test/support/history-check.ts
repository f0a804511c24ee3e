import assert from 'node:assert/strict';
import type { Caller } from './caller.ts';

interface Happening {
  readonly seq: number;
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: every type of event has its own facts.
  readonly facts: any;
}

/** The whole log of a hall, in order. */
export async function wholeLog(caller: Caller): Promise<readonly Happening[]> {
  const all: Happening[] = [];
  for (let after = 0; ; ) {
    const { status, body } = await caller.get(`/v1/events?order=oldest&limit=1000&after=${after}`);
    assert.equal(status, 200, JSON.stringify(body));
    all.push(...body.events);
    if (!body.next) return all;
    after = body.events.at(-1).seq;
  }
}

export interface Found {
  readonly claims: number;
  readonly posted: ReadonlySet<string>;
  readonly completed: ReadonlySet<string>;
  readonly mostAtOnce: ReadonlyMap<string, number>;
}

/** Audits the log: who held what when, and whether any rule was broken. */
export function audit(log: readonly Happening[]): Found {
  const projectOf = new Map<string, string>();
  const holder = new Map<string, string>();
  const taskOf = new Map<string, string>();
  const running = new Map<string, number>();
  const mostAtOnce = new Map<string, number>();
  const completed = new Set<string>();
  for (const [at, { seq, type, facts }] of log.entries()) {
    assert.equal(seq, at + 1, 'the log has no gaps');
    if (type === 'TaskPosted') projectOf.set(facts.task, facts.project);
    if (type === 'RunClaimed') claimed(facts.run, facts.task);
    if (type === 'RunEnded') ended(facts.run, facts.state);
  }
  return { claims: taskOf.size, posted: new Set(projectOf.keys()), completed, mostAtOnce };

  function claimed(run: string, task: string): void {
    assert.ok(!taskOf.has(run), `${run} is claimed once`);
    assert.ok(!holder.has(task), `${task} has one holder at a time`);
    assert.ok(!completed.has(task), `${task} is done once`);
    holder.set(task, run);
    taskOf.set(run, task);
    count(projectOf.get(task) ?? '', 1);
  }

  function ended(run: string, state: string): void {
    const task = taskOf.get(run) ?? '';
    assert.equal(holder.get(task), run, 'only the holder ends a run');
    holder.delete(task);
    count(projectOf.get(task) ?? '', -1);
    if (state === 'completed') completed.add(task);
  }

  function count(project: string, by: number): void {
    const now = (running.get(project) ?? 0) + by;
    running.set(project, now);
    mostAtOnce.set(project, Math.max(mostAtOnce.get(project) ?? 0, now));
  }
}
