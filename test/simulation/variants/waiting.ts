import type { Variant } from '../variant.ts';

const WRITER = 'src/board/writer.ts';
const WAITERS = 'src/board/waiters.ts';

/** Mistakes in how workers wait. */
export const WAITING: readonly Variant[] = [
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
    seeds: 1_500,
    patches: [
      {
        file: WAITERS,
        text: 'while (served > 0 && this.#board.requestedLabels.size > 0);',
        instead: 'while (served < 0);',
      },
    ],
  },
  {
    name: 'undo-forgets-the-line',
    about: 'who came to wait with a failed commit waits twice',
    scenario: 'refused-commits',
    seeds: 400,
    patches: [
      {
        file: WAITERS,
        text: 'for (const waiter of this.#joined) this.remove(waiter);',
        instead: '',
      },
    ],
  },
];
