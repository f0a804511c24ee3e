import assert from 'node:assert/strict';
import { Board } from '../../src/domain/board.ts';
import { type Claimed, claim, type Waiting } from '../../src/domain/claiming.ts';
import type { Decision, Now } from '../../src/domain/decision.ts';
import type { HallEvent } from '../../src/domain/event.ts';
import { evolve } from '../../src/domain/evolve.ts';
import type { RunId, TaskId, WorkerId } from '../../src/domain/ids.ts';
import type { PersonaSettings } from '../../src/domain/persona.ts';
import {
  DEFAULT_INSTANCE_SETTINGS,
  DEFAULT_TYPE_SETTINGS,
  type InstanceSettings,
  type TypeSettings,
} from '../../src/domain/pool.ts';
import { type Posted, type Posting, post } from '../../src/domain/posting.ts';
import { DEFAULT_PROJECT_SETTINGS, type ProjectSettings } from '../../src/domain/project.ts';
import { isRefusal, type Refusal } from '../../src/domain/refusal.ts';
import { register } from '../../src/domain/registering.ts';
import { type Report, report } from '../../src/domain/reporting.ts';
import type { Result } from '../../src/domain/run.ts';
import type { Task, TaskState } from '../../src/domain/task.ts';
import type { Worker } from '../../src/domain/worker.ts';

export const SETTINGS: ProjectSettings = { ...DEFAULT_PROJECT_SETTINGS, maxWorkers: 100 };

export const PERSONA_SETTINGS: PersonaSettings = {
  type: 'dev',
  displayName: null,
  author: null,
  teams: [],
  model: null,
  maxRetries: null,
  maxTurns: null,
  roles: [],
  domains: [],
  scopeSummary: null,
  mcpServers: [],
  allowedTools: null,
};

export const TYPE_SETTINGS: TypeSettings = {
  ...DEFAULT_TYPE_SETTINGS,
  git: { name: 'Dev', email: 'dev@example.org' },
  model: 'claude-sonnet-4-6',
};

export const RESULT: Result = {
  summary: 'did it',
  branch: null,
  commit: null,
  pr: null,
  details: null,
};
export const DONE = {
  how: 'completed',
  outcome: 'completed',
  result: RESULT,
  children: [],
} as const satisfies Report;
export const NOBODY_WAITS: Waiting = { waits: () => false, includes: () => false };

/** A board that applies decisions at once, for given-when-then tests. */
export class BoardFixture {
  readonly board = new Board();
  readonly events: HallEvent[] = [];
  readonly closed = new Map<TaskId, Task>();
  /** Whether an instance has a worker waiting. */
  waiting: Waiting = NOBODY_WAITS;
  at = 1_000;
  actor = 'operator:ada';

  get now(): Now {
    return { at: this.at, actor: this.actor };
  }

  apply(...events: readonly HallEvent[]): this {
    for (const event of events) {
      const seq = this.board.seq + 1;
      evolve(this.board, { seq, at: this.at, actor: this.actor, cause: 'test', event });
      this.events.push(event);
    }
    for (const [id, task] of this.board.closing.tasks) this.closed.set(id, task);
    return this;
  }

  do<A>({ events, answer }: Decision<A>): A {
    if (isRefusal(answer)) assert.fail(`refused: ${answer.refused}, ${answer.because}`);
    this.apply(...events);
    return answer;
  }

  refused<A>({ events, answer }: Decision<A>): Refusal {
    assert.deepEqual(events, [], 'a refusal changes nothing');
    assert.ok(isRefusal(answer), `not refused: ${JSON.stringify(answer)}`);
    return answer;
  }

  project(name: string, settings: Partial<ProjectSettings> = {}): this {
    return this.apply({
      type: 'ProjectSet',
      project: {
        name,
        settings: { ...SETTINGS, ...settings },
        declared: null,
        paused: null,
        addedAt: this.at,
      },
    });
  }

  type(name: string, settings: Partial<TypeSettings> = {}): this {
    const agentType = { name, settings: { ...TYPE_SETTINGS, ...settings }, declared: null };
    return this.apply({ type: 'TypeSet', agentType });
  }

  persona(slug: string, settings: Partial<PersonaSettings> = {}): this {
    const persona = { slug, settings: { ...PERSONA_SETTINGS, ...settings }, declared: null };
    return this.apply({ type: 'PersonaSet', persona: { ...persona, retired: false } });
  }

  instance(name: string, type: string, settings: Partial<InstanceSettings> = {}): this {
    const instance = {
      name,
      type,
      settings: { ...DEFAULT_INSTANCE_SETTINGS, parallel: 0, ...settings },
      paused: null,
      addedAt: this.at,
      changedAt: this.at,
    };
    return this.apply({ type: 'InstanceSet', instance });
  }

  invoker(handle: string, weeklyCap: number, projects: readonly string[] | null = null): this {
    const settings = { weeklyCap, projects };
    const counts = { used: 0, reserved: 0, lastUsed: 0, parkedUntil: null, paused: null };
    return this.apply({
      type: 'InvokerSet',
      invoker: { handle, settings, declared: null, ...counts },
    });
  }

  /** A hall with one project and the usual three types, each with one instance. */
  static usual(): BoardFixture {
    const table = new BoardFixture().project('shop');
    for (const type of ['boss', 'dev', 'reviewer'])
      table.type(type).instance(`${type}-default`, type);
    return table;
  }

  worker(instance = 'dev-default', options: Partial<Worker> = {}): Worker {
    const { projects = null, bringsModel = true } = options;
    const joining = { instance, projects, bringsModel, tokenHash: '', host: null };
    const id = this.do(register(this.board, joining, this.now));
    return this.board.workers.get(id) as Worker;
  }

  post(posting: Partial<Posting> = {}): Posted {
    const [posted] = this.do(this.posting(posting));
    return posted as Posted;
  }

  posting(...postings: readonly Partial<Posting>[]): Decision<readonly Posted[]> {
    return post(this.board, this.recalled, postings.map(fillIn), this.now);
  }

  claiming(worker: Worker): Decision<Claimed> {
    const present = this.board.workers.get(worker.id) ?? worker;
    return claim(this.board, present, this.waiting);
  }

  claim(worker: Worker = this.worker()): Claimed {
    return this.do(this.claiming(worker));
  }

  report(claimed: Claimed, content: Report = DONE): TaskId {
    const lease = { run: claimed.run, fence: claimed.fence, worker: null };
    return this.do(report(this.board, lease, content, this.now));
  }

  get recalled() {
    return {
      task: (id: TaskId) => this.closed.get(id),
      thread: (id: Task['thread']) => this.board.closing.threads.get(id),
    };
  }

  state(id: TaskId): TaskState['is'] | undefined {
    return (this.board.tasks.get(id) ?? this.closed.get(id))?.state.is;
  }

  run(id: RunId) {
    return this.board.runs.get(id);
  }

  workerOf(id: WorkerId) {
    return this.board.workers.get(id);
  }
}

function fillIn(posting: Partial<Posting>): Posting {
  return {
    project: 'shop',
    title: 'a task',
    body: '',
    skill: 'implement',
    type: null,
    agent: null,
    labels: [],
    size: null,
    dependsOn: [],
    ref: null,
    parent: null,
    ...posting,
  };
}
