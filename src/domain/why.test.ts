import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { BoardFixture, DONE, RESULT } from '../../test/support/board-fixture.ts';
import type { TaskId } from './ids.ts';
import { handOver } from './operator-actions.ts';
import { pause } from './pausing.ts';
import { missingWorkers } from './recruiting.ts';
import { isRefusal } from './refusal.ts';
import { drainWorker } from './registering.ts';
import { askQuestion } from './reporting.ts';
import { why } from './why.ts';
import type { Workforce } from './why-unclaimed.ts';
import type { Worker } from './worker.ts';

function whyOf(table: BoardFixture, id: TaskId, recruiting: Workforce['recruiting'] = () => null) {
  const task = table.board.tasks.get(id);
  const thread = task && table.board.threads.get(task.thread);
  assert.ok(task && thread);
  return why(table.board, task, thread, { waiting: table.waiting, recruiting });
}

const rules = (table: BoardFixture, id: TaskId) => whyOf(table, id).reasons.map(({ rule }) => rule);
const EVERYBODY_WAITS = { waits: () => true, includes: () => true };

describe('why a task is not running', () => {
  test('a task that waits only for a claim is shown as claimable', () => {
    const table = BoardFixture.usual();
    const { task } = table.post();
    table.waiting = EVERYBODY_WAITS;
    table.worker();

    assert.equal(whyOf(table, task).claimable, true);
  });

  test('why names the missing worker', () => {
    const table = BoardFixture.usual();
    table.invoker('ada', 1);
    assert.deepEqual(rules(table, table.post().task), ['no_worker']);
  });

  test('why explains that a type has no instances, and what to do', () => {
    const table = BoardFixture.usual().type('late');
    const { task } = table.post({ type: 'late' });
    const [reason] = whyOf(table, task).reasons;
    assert.equal(reason?.rule, 'no_worker');
    assert.match(reason?.because ?? '', /^type late has no instance/);
    assert.equal(
      reason?.frees,
      `another type is chosen with: guildhall task edit t-${task} --type …`,
    );
  });

  test('why names the missing invoker where the hall would start the worker itself', () => {
    const table = BoardFixture.usual().project('shop', { repo: 'file:/srv/shop' });
    const { task } = table.post();
    const recruiting = (name: string) => `the hall is about to start a worker of ${name}`;
    const told = () => whyOf(table, task, recruiting).reasons;

    assert.deepEqual(
      told().map(({ rule }) => rule),
      ['no_invoker'],
    );
    assert.match(told()[0]?.because ?? '', /declare one under `invokers:`/);
    assert.deepEqual(rules(table, task), ['no_invoker', 'no_worker'], 'and if it starts none');

    table.invoker('ada', 1);
    assert.deepEqual(
      told().map(({ rule, because }) => [rule, because]),
      [['no_worker', 'the hall is about to start a worker of dev-default']],
    );
    assert.deepEqual(
      missingWorkers(table.board, new Map(), 1),
      ['dev-default'],
      'which is what it does, by the same rules',
    );
  });

  test('why lists the dependency, the pause and the full project at once', () => {
    const table = BoardFixture.usual().project('shop', { maxWorkers: 1 });
    const first = table.post();
    const { task } = table.post({ dependsOn: [{ task: first.task }] });
    table.claim();
    table.do(pause(table.board, { kind: 'hall' }, 'night', table.now));

    assert.deepEqual(rules(table, task).slice(0, 3), [
      'waits_for_dependency',
      'hall_paused',
      'project_at_capacity',
    ]);
  });

  test('why lists what a proposed task waits for besides its approval', () => {
    const table = BoardFixture.usual();
    table.post({ skill: 'decompose', type: 'dev' });
    const children = [1, 2, 3].map((n) => ({
      title: `part ${n}`,
      body: '',
      labels: [],
      dependsOn: n === 1 ? [] : [{ ref: `p${n - 1}` }],
      ref: `p${n}`,
      skill: 'implement',
    }));
    table.report(table.claim(), { ...DONE, children });
    const [second, last] = [...table.board.tasks.values()].slice(-2);
    assert.ok(second && last);

    const [approval, dependency] = whyOf(table, last.id).reasons;
    assert.equal(approval?.rule, 'needs_approval');
    assert.equal(dependency?.rule, 'waits_for_dependency');
    assert.match(dependency?.because ?? '', new RegExp(`t-${second.id} `));
  });

  test('why names the run that works on the task', () => {
    const table = BoardFixture.usual();
    const { task } = table.post();
    table.claim();

    assert.deepEqual(rules(table, task), ['held_by_run']);
  });

  test('why shows what would unblock a deferred task, and when', () => {
    const table = BoardFixture.usual();
    const { task } = table.post();
    table.report(table.claim(), { how: 'deferred', until: 5_000_000, why: 'quota' });
    const [reason] = whyOf(table, task).reasons;

    assert.equal(reason?.rule, 'not_due');
    assert.equal(reason?.until, 5_000_000);
    assert.match(reason?.frees ?? '', new RegExp(`guildhall task retry t-${task}`));
  });

  test('why names the person that a task waits for', () => {
    const table = BoardFixture.usual();
    const { task } = table.post();
    const lease = { ...table.claim(), worker: null };
    table.do(askQuestion(table.board, lease, { question: 'red?', session: null }, table.now));

    assert.equal(rules(table, task)[0], 'waits_for_answer');
  });

  test('why shows how to add an invoker where there is none', () => {
    const table = BoardFixture.usual();
    const { task } = table.post();
    table.waiting = EVERYBODY_WAITS;
    table.worker('dev-default', { bringsModel: false });
    const reason = whyOf(table, task).reasons.find(({ rule }) => rule === 'no_invoker');

    assert.match(reason?.because ?? '', /invokers:/);
  });

  test('why ignores a worker that brings its own model to another project only', () => {
    const table = BoardFixture.usual().project('site');
    const { task } = table.post();
    table.waiting = EVERYBODY_WAITS;
    table.worker('dev-default', { bringsModel: false, projects: ['shop'] });
    table.worker('dev-default', { bringsModel: true, projects: ['site'] });

    assert.ok(rules(table, task).includes('no_invoker'));
  });

  test('why names the paused instance of a waiting worker, and how to resume it', () => {
    const table = BoardFixture.usual();
    const { task } = table.post();
    table.waiting = EVERYBODY_WAITS;
    table.worker();
    table.do(pause(table.board, { kind: 'instance', name: 'dev-default' }, 'night', table.now));

    const [reason, ...more] = whyOf(table, task).reasons;
    assert.deepEqual(more, []);
    assert.equal(reason?.rule, 'instance_paused');
    assert.equal(
      reason?.frees,
      'the instance is resumed with: guildhall agents resume dev-default',
    );
  });

  test('why shows that the waiting worker works only in another project', () => {
    const table = BoardFixture.usual().project('site');
    const { task } = table.post();
    table.waiting = EVERYBODY_WAITS;
    table.worker('dev-default', { projects: ['site'] });

    const [reason] = whyOf(table, task).reasons;
    assert.equal(reason?.rule, 'project_not_allowed');
    assert.match(reason?.because ?? '', /works only in site/);
  });

  test('why ignores the model that a draining worker brings', () => {
    const table = BoardFixture.usual();
    const { task } = table.post();
    table.waiting = EVERYBODY_WAITS;
    const leaving = table.worker('dev-default', { bringsModel: true });
    table.do(drainWorker(table.board, leaving.id));
    table.worker('dev-default', { bringsModel: false });
    assert.ok(!whyOf(table, task).claimable);
  });

  test('why shows for each invoker why it does not pay', () => {
    const table = BoardFixture.usual()
      .project('site')
      .invoker('ada', 5)
      .invoker('bob', 5, ['site']);
    const { task } = table.post();
    table.waiting = EVERYBODY_WAITS;
    table.worker('dev-default', { bringsModel: false });
    table.do(pause(table.board, { kind: 'invoker', name: 'ada' }, null, table.now));

    const [reason] = whyOf(table, task).reasons;
    assert.equal(reason?.rule, 'no_invoker');
    assert.match(reason?.because ?? '', /ada is paused by .*; bob pays only in site/);
  });

  test('why distinguishes a busy worker from one that is not claiming tasks', () => {
    const table = BoardFixture.usual();
    table.post();
    const { task } = table.post();
    const busy = table.claim();
    assert.match(
      whyOf(table, task).reasons[0]?.because ?? '',
      new RegExp(`is working on r-${busy.run}`),
    );

    table.worker();
    assert.deepEqual(rules(table, task), ['worker_busy']);
    table.waiting = EVERYBODY_WAITS;
    assert.deepEqual(rules(table, task), []);
  });

  test('why names the open pull request of a dependency', () => {
    const table = BoardFixture.usual();
    const first = table.post();
    const { task } = table.post({ dependsOn: [{ task: first.task }] });
    const pr = { number: 7, url: 'https://forge.test/shop/7' };
    table.report(table.claim(), {
      ...DONE,
      outcome: 'pr_created',
      result: { ...RESULT, branch: 'b', pr },
    });

    const [reason] = whyOf(table, task).reasons;
    assert.match(reason?.because ?? '', /https:\/\/forge\.test\/shop\/7 is open/);
    assert.match(
      reason?.because ?? '',
      new RegExp(`guildhall thread mark-merged th-${first.thread}`),
    );
  });

  test('why names the thread that must be handed back', () => {
    const table = BoardFixture.usual();
    const { task, thread } = table.post();
    table.do(handOver(table.board, { thread, because: null }, table.now));

    const [reason] = whyOf(table, task).reasons;
    assert.equal(
      reason?.frees,
      `the thread is handed back with: guildhall thread handback th-${thread}`,
    );
  });

  test('why counts the tasks ahead of a task', () => {
    const table = BoardFixture.usual();
    table.post();
    table.post();

    assert.equal(whyOf(table, table.post().task).ahead, 2);
  });
});

/** Halls of every shape, small enough that each rule decides often. */
const shape = fc.record({
  maxWorkers: fc.integer({ min: 1, max: 3 }),
  parallel: fc.integer({ min: 0, max: 2 }),
  cap: fc.integer({ min: 0, max: 2 }),
  pausedProject: fc.boolean(),
  pausedHall: fc.boolean(),
  claims: fc.integer({ min: 0, max: 3 }),
  taken: fc.boolean(),
  bringsModel: fc.boolean(),
  labels: fc.subarray(['web', 'db']),
  specialist: fc.subarray(['web', 'db']),
  specialistWaits: fc.boolean(),
});

describe('why and claim', () => {
  test('task why and claim never disagree: a claim succeeds exactly when some task is refused by no rule', () => {
    fc.assert(
      fc.property(shape, (given) => {
        const table = BoardFixture.usual()
          .project('shop', { maxWorkers: given.maxWorkers })
          .instance('dev-default', 'dev', { parallel: given.parallel })
          .instance('dev-special', 'dev', { matchLabels: given.specialist })
          .invoker('ada', given.cap);
        for (let n = 0; n < 3; n += 1) table.post({ labels: given.labels });
        const worker = table.worker('dev-default', { bringsModel: given.bringsModel });
        for (let n = 0; n < given.claims; n += 1) claimSomehow(table, given.bringsModel);
        const [first] = table.board.threads.values();
        if (given.taken && first) {
          table.do(handOver(table.board, { thread: first.id, because: null }, table.now));
        }
        const { now } = table;
        if (given.pausedProject) {
          table.do(pause(table.board, { kind: 'project', name: 'shop' }, null, now));
        }
        if (given.pausedHall) table.do(pause(table.board, { kind: 'hall' }, null, now));
        table.waiting = {
          includes: () => true,
          waits: (name) =>
            name === 'dev-default' || (name === 'dev-special' && given.specialistWaits),
        };
        assert.equal(!isRefusal(table.claiming(worker).answer), mayTakeOne(table, worker));
      }),
      { numRuns: 2_000 },
    );
  });
});

function claimSomehow(table: BoardFixture, bringsModel: boolean): void {
  const { events, answer } = table.claiming(table.worker('dev-default', { bringsModel }));
  if (!isRefusal(answer)) table.apply(...events);
}

/** What `why` says of each task, read for this worker's instance alone. */
function mayTakeOne(table: BoardFixture, worker: Worker): boolean {
  return [...table.board.tasks.keys()].some((id) => {
    const { takers, reasons } = whyOf(table, id);
    const open = reasons.every(({ rule }) => OF_TAKERS.has(rule));
    const mine = takers.find(({ instance }) => instance === worker.instance);
    return open && mine?.reasons.length === 0;
  });
}

const OF_TAKERS: ReadonlySet<string> = new Set([
  'no_worker',
  'no_credit',
  'no_invoker',
  'instance_at_capacity',
  'labels_prefer_others',
]);
