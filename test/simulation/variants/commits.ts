import type { Variant } from '../variant.ts';

const WRITER = 'src/board/writer.ts';
const GROUP = 'src/board/commit-group.ts';
const SHARED = 'src/board/clustered-hall.ts';

/** Mistakes in how changes are stored, answered and handed from node to node. */
export const COMMITS: readonly Variant[] = [
  {
    name: 'answer-before-commit',
    about: 'clients are answered before their change is on disk',
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
    about: 'a refused commit counts as committed',
    scenario: 'refused-commits',
    seeds: 50,
    patches: [
      {
        file: WRITER,
        text: '      board.rollback();\n      this.waiters.rollback();\n      throw fault;',
        instead: '      if (!(fault instanceof GroupRefused)) throw fault;',
      },
    ],
  },
  {
    name: 'writes-on-a-broken-disk',
    about: 'the rest of a group is written after the disk failed',
    scenario: 'broken-disk',
    seeds: 800,
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
    about: 'a stopping hall waits for its own command forever',
    scenario: 'restarts',
    seeds: 400,
    patches: [
      {
        file: WRITER,
        text: 'if (this.#running) await this.change(NOTHING)',
        instead: 'while (this.#running) await this.change(NOTHING)',
      },
    ],
  },
  {
    name: 'undo-forgets-an-index',
    about: 'a task that a failed commit made ready stays ready',
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
    about: 'an entry that a failed commit deleted stays deleted',
    scenario: 'refused-commits',
    seeds: 50,
    patches: [
      {
        file: 'src/domain/journaled-map.ts',
        text: 'this.#journal.note(() => map.set(key, before));',
        instead: '',
      },
    ],
  },
  {
    name: 'answer-not-stored',
    about: 'a repeated request is carried out again',
    scenario: 'network',
    seeds: 50,
    patches: [
      {
        file: GROUP,
        text: 'this.#answers.set(key, { key, request, at: this.#steady, ...once.render(answer) });',
        instead: 'once.render(answer);\n      void key, request, this.#steady;',
      },
    ],
  },
  {
    name: 'answer-stored-too-late',
    about: 'a request repeated within one commit is carried out twice',
    scenario: 'network',
    seeds: 300,
    patches: [
      {
        file: GROUP,
        text: 'this.#answers.get(once.key) ?? this.#recalled.responses.get(once.key)',
        instead: 'this.#recalled.responses.get(once.key)',
      },
    ],
  },
  {
    name: 'stale-leader-answers',
    about: 'a leader that slept refuses by an outdated board',
    scenario: 'takeovers',
    seeds: 2_000,
    patches: [
      {
        file: WRITER,
        text: 'if (!group.isEmpty || !this.#needs.isAssured()) {',
        instead: 'if (!group.isEmpty) {',
      },
    ],
  },
  {
    name: 'former-leader-stays',
    about: 'a leader whose commit was refused by a newer epoch continues to lead',
    scenario: 'takeovers',
    seeds: 100,
    patches: [
      {
        file: SHARED,
        text: '    this.leading = undefined;\n    if (!(fault instanceof LeadershipLost))',
        instead: '    if (!(fault instanceof LeadershipLost))',
      },
      {
        file: SHARED,
        text: 'if (!(await leadership.heartbeat(this.#epoch))) return this.#abdicate();',
        instead: 'await leadership.heartbeat(this.#epoch);',
      },
    ],
  },
  {
    name: 'leads-without-catching-up',
    about: 'a node takes over without the events it has not folded yet',
    scenario: 'lost-replies',
    seeds: 2_000,
    patches: [{ file: SHARED, text: 'await this.#follow(head.seq);', instead: '' }],
  },
  {
    name: 'store-without-epochs',
    about: 'the store accepts a group from a leader that lost leadership',
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
    about: 'two concurrent reads of the log fold the same events twice',
    scenario: 'takeovers',
    seeds: 100,
    patches: [
      {
        file: SHARED,
        text: 'if (this.#ongoing !== undefined || this.#stopped) return;',
        instead: 'if (this.#stopped) return;',
      },
      {
        file: SHARED,
        text: 'if (this.#ongoing !== undefined) this.#again = true;\n    else void',
        instead: 'void',
      },
    ],
  },
  {
    name: 'index-starts-at-the-end',
    about: 'a new leader assumes that the search index reaches the end of the log',
    scenario: 'crashes',
    seeds: 50,
    patches: [
      {
        file: 'src/board/search-indexer.ts',
        text: 'this.#mark > end ? 0 : this.#mark;',
        instead: 'end;',
      },
    ],
  },
  {
    name: 'answers-forgotten-by-a-jump',
    about: 'a clock jump makes the hall forget a response from a minute ago',
    scenario: 'old-keys',
    seeds: 300,
    patches: [
      {
        file: 'src/board/steady-time.ts',
        text: 'Math.round(clock.monotonic() + ahead)',
        instead: '(clock.now() + 0 * ahead)',
      },
    ],
  },
];
