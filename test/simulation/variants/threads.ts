import type { Variant } from '../variant.ts';

const QUEUE = 'src/domain/thread-queue.ts';

/** Mistakes in which tasks may run at once or after each other. */
export const THREADS: readonly Variant[] = [
  {
    name: 'two-writers-in-a-thread',
    about: 'a second run may write in a thread',
    scenario: 'dependencies',
    from: 761,
    seeds: 3_000,
    patches: [
      {
        file: QUEUE,
        text: 'return task.agent === agent || (writing && writes(task.skill));',
        instead: 'return task.agent === agent && writing !== undefined;',
      },
    ],
  },
  {
    name: 'same-agent-twice-in-a-thread',
    about: 'the same agent may run twice in a thread',
    scenario: 'dependencies',
    from: 700,
    seeds: 600,
    patches: [
      {
        file: QUEUE,
        text: 'return task.agent === agent || (writing && writes(task.skill));',
        instead: "return agent === '' || (writing && writes(task.skill));",
      },
    ],
  },
  {
    name: 'done-forgotten',
    about: 'a thread that was done is not done again when a task added to it fails',
    scenario: 'dependencies',
    seeds: 1_000,
    patches: [
      {
        file: 'src/domain/splitting.ts',
        text: 'if (isFinished(left)) return completionEvents(board, thread, state.since);',
        instead: 'if (isFinished(left)) return [];',
      },
    ],
  },
  {
    name: 'done-before-merge',
    about: 'a dependency is done when its work is completed although its pull request is open',
    scenario: 'dependencies',
    seeds: 50,
    patches: [
      {
        file: 'src/domain/reporting.ts',
        text: '!opensPullRequest(thread, result);',
        instead: '!opensPullRequest(thread, { ...result, pr: null });',
      },
    ],
  },
  {
    name: 'done-unheard',
    about: 'a run reports that its thread is done, and the board keeps it open',
    scenario: 'dependencies',
    seeds: 50,
    patches: [
      {
        file: 'src/domain/evolve-run.ts',
        text: 'if (done) for (const row of finishThread',
        instead: 'if (done && !task) for (const row of finishThread',
      },
    ],
  },
  {
    name: 'dependents-forgotten',
    about: 'tasks that waited for a thread stay blocked once it is done',
    scenario: 'dependencies',
    seeds: 50,
    patches: [
      {
        file: 'src/domain/dependencies/unblock.ts',
        text: 'events.push(...unblockEvents(board, thread, at));',
        instead: 'void unblockEvents(board, thread, at);',
      },
    ],
  },
  {
    name: 'dependency-forgotten-on-return',
    about: 'a returning task starts before the dependencies of its thread are done',
    scenario: 'dependencies',
    seeds: 400,
    patches: [
      {
        file: 'src/domain/dependencies/unblock.ts',
        text: "return { is: blockers > 0 ? 'blocked' : 'available', since: at };",
        instead: "return { is: blockers < 0 ? 'blocked' : 'available', since: at };",
      },
    ],
  },
  {
    name: 'children-done-before-merge',
    about: 'a parent is done with its last child although its own pull request is open',
    scenario: 'dependencies',
    seeds: 200,
    patches: [
      {
        file: 'src/domain/thread.ts',
        text: "return pr ? pr.state === 'merged' : thread.completed || thread.childrenDone > 0;",
        instead: 'return pr !== undefined;',
      },
    ],
  },
];
