import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, Caller } from './caller.ts';
import type { HallProcess } from './hall-process.ts';

/** The body of a response, of any shape. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
export type Json = any;

export interface Claim {
  readonly run: string;
  readonly fence: number;
  readonly target_seconds: number;
  readonly limit_seconds: number;
  readonly task: Json;
}

let projects = 0;

/** An operator, projects and workers of one test on a running hall. */
export class HallFixture<H extends Pick<HallProcess, 'url' | 'token'> = HallProcess> {
  readonly hall: H;
  readonly caller: Caller;
  readonly #callers: Caller[] = [];

  constructor(hall: H) {
    this.hall = hall;
    this.caller = this.as(hall.token);
  }

  as(token: string | null): Caller {
    const caller = new Caller(this.hall.url, token);
    this.#callers.push(caller);
    return caller;
  }

  async get(path: string): Promise<Json> {
    return expectOk(await this.caller.get(path));
  }

  async post(path: string, body: object = {}): Promise<Json> {
    return expectOk(await this.caller.post(path, body));
  }

  /** A project that no other test uses. */
  async project(settings: object = {}): Promise<ProjectFixture> {
    projects += 1;
    const name = `p${projects}-${process.pid}`;
    await this.post('/v1/projects', { name, max_workers: 100, ...settings });
    return new ProjectFixture(this, name);
  }

  async worker(options: object = {}): Promise<WorkerFixture> {
    const registration = { instance: 'dev-default', brings_model: true, ...options };
    const { id, token } = await this.post('/v1/workers', registration);
    return new WorkerFixture(id, token, this.as(token));
  }

  /** A task with its thread, runs, notes and children. */
  async taskDetail(task: string): Promise<Json> {
    return this.get(`/v1/tasks/${task}`);
  }

  async task(task: string): Promise<Json> {
    return (await this.taskDetail(task)).task;
  }

  /** What happened to a task, oldest first. */
  async events(task: string): Promise<readonly Json[]> {
    return (await this.get(`/v1/events?task=${task}&order=oldest&limit=1000`)).events;
  }

  [Symbol.dispose](): void {
    for (const caller of this.#callers) caller.close();
  }
}

/** A project of one test. */
export class ProjectFixture {
  readonly name: string;
  readonly #fixture: Pick<HallFixture, 'get' | 'post' | 'worker'>;

  constructor(fixture: Pick<HallFixture, 'get' | 'post' | 'worker'>, name: string) {
    this.#fixture = fixture;
    this.name = name;
  }

  /** Posts one task and returns its id. */
  async post(task: object = {}): Promise<string> {
    const [id] = await this.postAll([task]);
    return id ?? assert.fail('nothing was posted');
  }

  async postAll(tasks: readonly object[]): Promise<readonly string[]> {
    const bodies = tasks.map((task, n) => ({
      project: this.name,
      title: `task ${n + 1}`,
      ...task,
    }));
    const { tasks: posted } = await this.#fixture.post('/v1/tasks', bodies);
    return posted.map(({ id }: { id: string }) => id);
  }

  /** A worker of this project only. */
  worker(options: object = {}): Promise<WorkerFixture> {
    return this.#fixture.worker({ projects: [this.name], ...options });
  }

  /** Posts a task and lets a new worker claim it. */
  async held(
    task: object = {},
    options: object = {},
  ): Promise<{ worker: WorkerFixture; claim: Claim }> {
    const id = await this.post(task);
    const worker = await this.worker(options);
    const claim = await worker.claimed();
    assert.equal(claim.task.id, id);
    return { worker, claim };
  }

  async board(): Promise<Json> {
    const { projects: all } = await this.#fixture.get('/v1/board');
    return all.find(({ name }: { name: string }) => name === this.name);
  }
}

/** A registered worker with its token. */
export class WorkerFixture {
  readonly id: string;
  readonly token: string;
  readonly caller: Caller;

  constructor(id: string, token: string, caller: Caller) {
    this.id = id;
    this.token = token;
    this.caller = caller;
  }

  claim(options: object = {}): Promise<Answer> {
    return this.caller.post('/v1/claims', { worker: this.id, ...options });
  }

  /** Claims a task; there must be one. */
  async claimed(): Promise<Claim> {
    const answer = await this.claim();
    assert.equal(answer.status, 200, `${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  call(verb: string, { run, fence }: Pick<Claim, 'run' | 'fence'>, content: object = {}) {
    return this.caller.post(`/v1/runs/${run}/${verb}`, { fence, ...content });
  }

  /** Makes a call that must succeed. */
  async mustCall(
    verb: string,
    claim: Pick<Claim, 'run' | 'fence'>,
    content: object = {},
  ): Promise<Json> {
    return expectOk(await this.call(verb, claim, content));
  }

  complete(claim: Pick<Claim, 'run' | 'fence'>, report: object = {}): Promise<Json> {
    return this.mustCall('report', claim, { outcome: 'completed', summary: 'done', ...report });
  }

  heartbeat(lease: object = {}): Promise<Answer> {
    return this.caller.post(`/v1/workers/${this.id}/heartbeat`, lease);
  }
}

/** The body of a response that must be a success. */
export function expectOk({ status, body }: Answer): Json {
  assert.ok(status >= 200 && status < 300, `${status} ${JSON.stringify(body)}`);
  return body;
}

/** Long enough for anything to happen, even with three other suites on a busy machine. */
const PATIENCE = 600_000;

/** Repeats the look until it finds something. */
export async function until<T>(
  condition: string,
  look: () => Promise<T | undefined | false> | T | undefined | false,
): Promise<T> {
  const deadline = performance.now() + PATIENCE;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    assert.ok(performance.now() < deadline, `not within ${PATIENCE / 1000} s: ${condition}`);
    await sleep(20);
  }
}

/** Waits until searches find everything that has happened so far. */
export function searched(caller: Caller): Promise<boolean> {
  return until('the search index has caught up', async () => {
    const { search } = expectOk(await caller.get('/v1/tasks?text=x&limit=1'));
    return search.indexed_to === search.log_end;
  });
}

/** The names of things that have one. */
export function namesOf(things: readonly { readonly name: string }[]): readonly string[] {
  return things.map(({ name }) => name);
}
