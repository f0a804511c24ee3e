import type { Variant } from '../variant.ts';

const GATES = 'src/domain/claim-rules.ts';
const RUNS = 'src/domain/evolve-run.ts';
const QUEUE = 'src/domain/thread-queue.ts';

/** Mistakes in which worker gets which task, and in the order. */
export const CLAIMS: readonly Variant[] = [
  {
    name: 'capacity-not-counted',
    about: 'a run takes no slot of its project',
    scenario: 'capacity',
    seeds: 50,
    patches: [{ file: RUNS, text: 'board.count(board.runningIn, run.project, 1);', instead: '' }],
  },
  {
    name: 'capacity-off-by-one',
    about: 'a project runs one worker more than max_workers',
    scenario: 'capacity',
    seeds: 50,
    patches: [{ file: GATES, text: 'running >= maxWorkers', instead: 'running > maxWorkers' }],
  },
  {
    name: 'parallel-off-by-one',
    about: 'an instance runs one task more than its parallel limit',
    scenario: 'capacity',
    seeds: 100,
    patches: [
      { file: GATES, text: 'running >= settings.parallel', instead: 'running > settings.parallel' },
    ],
  },
  {
    name: 'paused-project-served',
    about: 'a paused project keeps starting work',
    scenario: 'everyday',
    seeds: 200,
    patches: [
      {
        file: GATES,
        text: "if (paused) return refuse('project_paused'",
        instead: "if (paused && name === '') return refuse('project_paused'",
      },
    ],
  },
  {
    name: 'parked-invoker-pays',
    about: 'a parked invoker pays for a new run',
    scenario: 'quota',
    seeds: 200,
    patches: [
      {
        file: GATES,
        text: 'withCredit.filter((invoker) => !isParked(invoker))',
        instead: 'withCredit.filter((invoker) => isParked(invoker) !== undefined)',
      },
    ],
  },
  {
    name: 'opened-invoker-unheard',
    about: 'waiting workers are not served when an invoker is unparked',
    scenario: 'quota',
    seeds: 200,
    patches: [
      {
        file: 'src/domain/evolve-pool.ts',
        text: 'if (change.parkedUntil === null) board.wakeups.all = true;',
        instead: '',
      },
    ],
  },
  {
    name: 'credit-not-reserved',
    about: 'a claim reserves no credit, so several claims share the last one',
    scenario: 'quota',
    seeds: 50,
    patches: [
      {
        file: RUNS,
        text: '{ reserved: run.credits, lastUsed: at }',
        instead: '{ reserved: 0, lastUsed: at }',
      },
    ],
  },
  {
    name: 'reservation-leaked',
    about: 'the credit of a lost run is never returned',
    scenario: 'quota',
    seeds: 100,
    patches: [
      {
        file: RUNS,
        text: 'if (!run.committed && run.credits > 0) {',
        instead: "if (!run.committed && run.credits > 0 && ending.how !== 'lost') {",
      },
    ],
  },
  {
    name: 'week-rolls-back',
    about: 'a clock that is set back opens an earlier week, with its credits unspent',
    scenario: 'clocks',
    seeds: 50,
    patches: [
      {
        file: 'src/domain/due-changes.ts',
        text: 'if (window > board.hall.window)',
        instead: 'if (window !== board.hall.window)',
      },
    ],
  },
  {
    name: 'newest-first',
    about: 'the newest thread is served first',
    scenario: 'everyday',
    seeds: 50,
    patches: [
      {
        file: 'src/domain/ordered-pairs.ts',
        text: 'const major = chunk?.majors[0];',
        instead: 'const major = chunk?.majors.at(-1);',
      },
      {
        file: 'src/domain/ordered-pairs.ts',
        text: 'const minor = chunk?.minors[0];',
        instead: 'const minor = chunk?.minors.at(-1);',
      },
    ],
  },
  {
    name: 'requeued-last',
    about: 'a task that lost its worker goes to the end of the queue',
    scenario: 'crashes',
    seeds: 100,
    patches: [
      {
        file: QUEUE,
        text: 'board.ready.remove(routeOf(board, task, thread), thread.id, task.id);',
        instead:
          'board.ready.remove(routeOf(board, task, thread), thread.id + task.crashes * 1e6, task.id);',
      },
      {
        file: QUEUE,
        text: 'board.ready.add(routeOf(board, task, thread), thread.id, task.id);',
        instead:
          'board.ready.add(routeOf(board, task, thread), thread.id + task.crashes * 1e6, task.id);',
      },
    ],
  },
  {
    name: 'no-rotation',
    about: 'one project is served as long as it has work',
    scenario: 'capacity',
    seeds: 250,
    patches: [{ file: RUNS, text: 'board.lastServed.set(run.project, run.id);', instead: '' }],
  },
];
