import type { Patch } from './patching.ts';

/** The product with one deliberate mistake, and the scenario that must find it. */
export interface Variant {
  readonly name: string;
  /** What is wrong with it. */
  readonly about: string;
  readonly scenario: string;
  /** How many stories it may take to find it. */
  readonly seeds: number;
  readonly patches: readonly Patch[];
}

const GATES = 'src/domain/gates.ts';
const RUNS = 'src/domain/evolve-run.ts';
const LEASE = 'src/domain/lease.ts';
const QUEUE = 'src/domain/thread-queue.ts';
const WRITER = 'src/board/writer.ts';
const GROUP = 'src/board/group.ts';
const WAITERS = 'src/board/waiters.ts';
const SIGNS = 'src/board/signs-of-life.ts';
const SHARED = 'src/board/shared-hall.ts';

export const VARIANTS: readonly Variant[] = [
  {
    name: 'no-fence',
    about: 'a call of a worker is about whatever run it has now, not about the one it names',
    scenario: 'network',
    seeds: 200,
    patches: [
      {
        file: 'src/domain/reporting.ts',
        text: 'const run = board.runs.get(lease.run);',
        instead: 'const run = board.runs.get(board.runOf.get(lease.worker ?? 0) ?? lease.run);',
      },
      {
        file: 'src/domain/reporting.ts',
        text: 'if (run.fence !== lease.fence) {',
        instead: 'if (run.fence < 0) {',
      },
    ],
  },
  {
    name: 'answer-before-commit',
    about: 'clients are answered while their change is on its way to the disk',
    scenario: 'crashes',
    seeds: 50,
    patches: [
      {
        file: WRITER,
        text: 'this.#head = await store.append(',
        instead: 'group.settle();\n        this.#head = await store.append(',
      },
    ],
  },
  {
    name: 'answers-in-a-failed-commit',
    about: 'a refused commit is taken for a commit',
    scenario: 'refused-commits',
    seeds: 50,
    patches: [
      {
        file: WRITER,
        text: '      board.putBack();\n      this.waiters.putBack();\n      throw fault;',
        instead: '      if (!(fault instanceof GroupRefused)) throw fault;',
      },
    ],
  },
  {
    name: 'writes-on-a-broken-disk',
    about: 'after the disk failed the rest of the group is written all the same',
    scenario: 'broken-disk',
    seeds: 1_500,
    patches: [
      {
        file: WRITER,
        text: 'if (this.#fault) return this.#failAll(rest, this.#fault);',
        instead: '',
      },
    ],
  },
  {
    name: 'stop-that-never-ends',
    about: 'a hall that is told to stop waits for its own question, again and again',
    scenario: 'restarts',
    seeds: 50,
    patches: [
      {
        file: WRITER,
        text: 'if (this.#running) await this.change(NOTHING)',
        instead: 'while (this.#running) await this.change(NOTHING)',
      },
    ],
  },
  {
    name: 'capacity-not-counted',
    about: 'a run does not take a place of its project',
    scenario: 'capacity',
    seeds: 50,
    patches: [{ file: RUNS, text: 'board.count(board.runningIn, run.project, 1);', instead: '' }],
  },
  {
    name: 'capacity-off-by-one',
    about: 'a project runs one worker more than it allows',
    scenario: 'capacity',
    seeds: 50,
    patches: [{ file: GATES, text: 'running >= maxWorkers', instead: 'running > maxWorkers' }],
  },
  {
    name: 'parallel-off-by-one',
    about: 'an instance runs one task more than it may',
    scenario: 'capacity',
    seeds: 50,
    patches: [
      { file: GATES, text: 'running >= settings.parallel', instead: 'running > settings.parallel' },
    ],
  },
  {
    name: 'paused-project-served',
    about: 'a paused project goes on starting work',
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
    name: 'credit-not-reserved',
    about: 'a claim takes no credit, so that several share the last one',
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
    about: 'the credit of a lost run never comes back',
    scenario: 'quota',
    seeds: 50,
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
        file: 'src/domain/timing.ts',
        text: 'if (window > board.hall.window)',
        instead: 'if (window !== board.hall.window)',
      },
    ],
  },
  {
    name: 'undo-forgets-an-index',
    about: 'what a failed commit made ready stays ready',
    scenario: 'refused-commits',
    seeds: 50,
    patches: [
      {
        file: 'src/domain/ready-set.ts',
        text: 'if (waiting.add(thread, task)) this.#journal.note(() => waiting.remove(thread, task));',
        instead: 'waiting.add(thread, task);',
      },
    ],
  },
  {
    name: 'undo-forgets-a-map',
    about: 'what a failed commit deleted stays deleted',
    scenario: 'refused-commits',
    seeds: 50,
    patches: [
      {
        file: 'src/domain/kept.ts',
        text: 'this.#journal.note(() => map.set(key, before));',
        instead: '',
      },
    ],
  },
  {
    name: 'undo-forgets-the-line',
    about: 'who came to wait with a failed commit waits twice',
    scenario: 'refused-commits',
    seeds: 200,
    patches: [
      {
        file: WAITERS,
        text: 'for (const waiter of this.#joined) this.remove(waiter);',
        instead: '',
      },
    ],
  },
  {
    name: 'lost-wake-up',
    about: 'what becomes claimable is not handed to those who wait for it',
    scenario: 'polls',
    seeds: 50,
    patches: [{ file: WRITER, text: 'this.waiters.match(group);', instead: '' }],
  },
  {
    name: 'waits-after-the-group',
    about: 'a worker stands in line only after its group, and misses what the group made claimable',
    scenario: 'polls',
    seeds: 500,
    patches: [
      {
        file: WRITER,
        text: 'this.waiters.add(waiter);',
        instead: 'queueMicrotask(() => this.waiters.add(waiter));',
      },
    ],
  },
  {
    name: 'one-poll-of-many',
    about: 'of two polls of a worker only the older learns what it was given',
    scenario: 'network',
    seeds: 50,
    patches: [
      {
        file: WAITERS,
        text: 'if (waiter.worker === worker.id) this.#matched.push({ waiter, claimed });',
        instead:
          'if (waiter.worker !== worker.id) continue;\n      this.#matched.push({ waiter, claimed });\n      return;',
      },
    ],
  },
  {
    name: 'specialists-first-only',
    about: 'who had to stand back for a specialist is not looked at again when that one is served',
    scenario: 'labels',
    seeds: 800,
    patches: [
      {
        file: WAITERS,
        text: 'while (served > 0 && this.#board.asked.size > 0);',
        instead: 'while (served < 0);',
      },
    ],
  },
  {
    name: 'answer-not-stored',
    about: 'a repeated request is done again',
    scenario: 'network',
    seeds: 50,
    patches: [
      {
        file: GROUP,
        text: 'this.#answers.set(key, { key, request, at: this.#at, ...once.render(answer) });',
        instead: 'once.render(answer);\n      void key, request;',
      },
    ],
  },
  {
    name: 'answer-stored-too-late',
    about: 'a request that is repeated within one commit is done twice',
    scenario: 'network',
    seeds: 300,
    patches: [
      {
        file: GROUP,
        text: 'this.#answers.get(once.key) ?? this.#recalled.answers.get(once.key)',
        instead: 'this.#recalled.answers.get(once.key)',
      },
    ],
  },
  {
    name: 'leases-by-wall-clock',
    about: 'silence is measured by a clock that jumps',
    scenario: 'clocks',
    seeds: 50,
    patches: [
      {
        file: SIGNS,
        text: 'return this.#awake + Math.min(this.#clock.monotonic() - this.#looked, this.#longestNap);',
        instead: 'return this.#clock.now();',
      },
    ],
  },
  {
    name: 'pause-counts-as-silence',
    about: "workers are expired for the hall's own sleep",
    scenario: 'pauses',
    seeds: 50,
    patches: [
      {
        file: SIGNS,
        text: 'Math.min(this.#clock.monotonic() - this.#looked, this.#longestNap)',
        instead: '(this.#clock.monotonic() - this.#looked)',
      },
    ],
  },
  {
    name: 'silence-ignored',
    about: 'nobody is ever found dead',
    scenario: 'crashes',
    seeds: 50,
    patches: [
      {
        file: 'src/board/chores.ts',
        text: 'return signs.isSilent(id, times.lease) && !writer.waiters.includes(id);',
        instead: 'return signs.isSilent(id, times.lease) && writer === undefined;',
      },
    ],
  },
  {
    name: 'cut-off-early',
    about: 'a run is charged for the whole look in which it began',
    scenario: 'time-limits',
    seeds: 200,
    patches: [
      { file: SIGNS, text: 'before === undefined ? 0 : before + passed', instead: '(before ?? 0) + passed' },
    ],
  },
  {
    name: 'two-writers-in-a-thread',
    about: 'a second run may write in a thread',
    scenario: 'dependencies',
    seeds: 800,
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
    seeds: 200,
    patches: [
      {
        file: QUEUE,
        text: 'return task.agent === agent || (writing && writes(task.skill));',
        instead: "return agent === '' || (writing && writes(task.skill));",
      },
    ],
  },
  {
    name: 'done-before-landing',
    about: 'a dependency opens when the work is completed though its pull request is open',
    scenario: 'dependencies',
    seeds: 50,
    patches: [
      {
        file: 'src/domain/reporting.ts',
        text: 'isLast(thread, task.id) && children.length === 0 && !opensPullRequest(thread, result);',
        instead: 'isLast(thread, task.id) && children.length === 0 && !opensPullRequest(thread, {\n      ...result,\n      pr: null,\n    });',
      },
    ],
  },
  {
    name: 'dependents-forgotten',
    about: 'what waited for a thread that is done stays blocked',
    scenario: 'dependencies',
    seeds: 50,
    patches: [
      {
        file: 'src/domain/splitting.ts',
        text: 'events.push(...unblocked(board, thread, at));',
        instead: 'void unblocked(board, thread, at);',
      },
    ],
  },
  {
    name: 'dependency-forgotten-on-return',
    about: 'a task that comes back may start before what its thread waits for',
    scenario: 'dependencies',
    seeds: 300,
    patches: [
      {
        file: 'src/domain/splitting.ts',
        text: "return { is: waits > 0 ? 'blocked' : 'available', since: at };",
        instead: "return { is: waits < 0 ? 'blocked' : 'available', since: at };",
      },
    ],
  },
  {
    name: 'children-done-before-landing',
    about: 'a parent is done with its last child though its own pull request is open',
    scenario: 'dependencies',
    seeds: 100,
    patches: [
      {
        file: 'src/domain/thread.ts',
        text: "return pr ? pr.state === 'merged' : thread.completed || thread.childrenDone > 0;",
        instead: 'return pr !== undefined;',
      },
    ],
  },
  {
    name: 'crashes-without-end',
    about: 'a task that kills every worker is handed out for ever',
    scenario: 'crashes',
    seeds: 100,
    patches: [{ file: LEASE, text: 'if (crashes <= limit) return', instead: 'if (crashes > 0) return' }],
  },
  {
    name: 'task-dropped-on-crash',
    about: 'the first lost worker ends its task',
    scenario: 'crashes',
    seeds: 50,
    patches: [{ file: LEASE, text: 'if (crashes <= limit) return', instead: 'if (crashes < 0) return' }],
  },
  {
    name: 'stale-leader-answers',
    about: 'a leader that slept says no by what it remembers',
    scenario: 'takeovers',
    seeds: 500,
    patches: [
      {
        file: WRITER,
        text: 'if (!group.isEmpty || !this.#needs.isAssured()) {',
        instead: 'if (!group.isEmpty) {',
      },
    ],
  },
  {
    name: 'deposed-leader-stays',
    about: 'a leader whose commit was refused by a newer epoch goes on as if it led',
    scenario: 'takeovers',
    seeds: 100,
    patches: [
      {
        file: SHARED,
        text: '    this.leading = undefined;\n    if (!(fault instanceof Deposed))',
        instead: '    if (!(fault instanceof Deposed))',
      },
      {
        file: SHARED,
        text: 'if (!(await leadership.beat(this.#epoch))) return this.#abdicate();',
        instead: 'await leadership.beat(this.#epoch);',
      },
    ],
  },
  {
    name: 'leads-without-catching-up',
    about: 'a node takes over without the events it has not folded yet',
    scenario: 'lost-replies',
    seeds: 600,
    patches: [{ file: SHARED, text: 'await this.#follow(head.seq);', instead: '' }],
  },
  {
    name: 'store-without-epochs',
    about: 'the store takes a group of a leader that was deposed',
    scenario: 'takeovers',
    seeds: 500,
    patches: [
      {
        file: 'test/simulation/world/disk.ts',
        text: 'group.epoch !== this.head.epoch',
        instead: 'group.epoch < 0',
      },
    ],
  },
  {
    name: 'follower-folds-twice',
    about: 'two looks at the log at once fold the same events twice',
    scenario: 'takeovers',
    seeds: 100,
    patches: [
      { file: SHARED, text: 'if (this.#ongoing || this.#stopped) return;', instead: 'if (this.#stopped) return;' },
      { file: SHARED, text: 'if (this.#ongoing) this.#again = true;\n    else void', instead: 'void' },
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
    about: 'a task that lost its worker goes to the end of the line',
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
    seeds: 100,
    patches: [{ file: RUNS, text: 'board.served.set(run.project, run.id);', instead: '' }],
  },
];
