import assert from 'node:assert/strict';
import type { Caller } from './caller.ts';

interface Happening {
  readonly seq: number;
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: every type of event has its own facts.
  readonly event: any;
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
  readonly completed: ReadonlySet<number>;
  readonly mostAtOnce: ReadonlyMap<string, number>;
}

/** Reads the log as an auditor: who held what when, and whether any rule was broken on the way. */
export function audit(log: readonly Happening[]): Found {
  const projectOf = new Map<number, string>();
  const holder = new Map<number, number>();
  const taskOf = new Map<number, number>();
  const running = new Map<string, number>();
  const mostAtOnce = new Map<string, number>();
  const completed = new Set<number>();
  let claims = 0;
  let fence = 0;
  let seq = 0;
  for (const { seq: number, event } of log) {
    assert.equal(number, seq + 1, 'the log has no gaps');
    seq = number;
    if (event.type === 'TaskPosted') projectOf.set(event.task.id, event.task.project);
    if (event.type === 'RunClaimed') {
      const { id, task } = event.run;
      assert.ok(event.run.fence > fence, 'fences only rise');
      assert.ok(!holder.has(task), `task ${task} has one holder at a time`);
      assert.ok(!completed.has(task), `task ${task} is done once`);
      fence = event.run.fence;
      claims += 1;
      holder.set(task, id);
      taskOf.set(id, task);
      count(projectOf.get(task) ?? '', 1);
    }
    if (event.type === 'RunEnded') {
      const task = taskOf.get(event.run) ?? 0;
      assert.equal(holder.get(task), event.run, 'only the holder ends a run');
      holder.delete(task);
      count(projectOf.get(task) ?? '', -1);
      if (event.task.is === 'completed') completed.add(task);
    }
  }
  return { claims, completed, mostAtOnce };

  function count(project: string, by: number): void {
    const now = (running.get(project) ?? 0) + by;
    running.set(project, now);
    mostAtOnce.set(project, Math.max(mostAtOnce.get(project) ?? 0, now));
  }
}
