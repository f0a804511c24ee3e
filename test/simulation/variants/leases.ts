import type { Variant } from '../variant.ts';

const LEASE = 'src/domain/lease.ts';
const RETRY_LIMITS = 'src/domain/retry-limits.ts';
const SIGNS = 'src/board/liveness.ts';

/** Mistakes about workers that died, slept or lost their lease. */
export const LEASES: readonly Variant[] = [
  {
    name: 'no-fence',
    about: 'a call of a worker applies to its current run instead of the run it names',
    scenario: 'network',
    seeds: 200,
    patches: [
      {
        file: LEASE,
        text: 'const run = board.runs.get(lease.run);',
        instead: 'const run = board.runs.get(board.runOf.get(lease.worker ?? 0) ?? lease.run);',
      },
      {
        file: LEASE,
        text: 'if (run.fence !== lease.fence) {',
        instead: 'if (run.fence < 0) {',
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
        text: 'return this.#awake + Math.min(this.#clock.monotonic() - this.#lastLook, this.#longestNap);',
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
        text: 'Math.min(this.#clock.monotonic() - this.#lastLook, this.#longestNap)',
        instead: '(this.#clock.monotonic() - this.#lastLook)',
      },
    ],
  },
  {
    name: 'silence-ignored',
    about: 'no dead worker is ever detected',
    scenario: 'crashes',
    seeds: 50,
    patches: [
      {
        file: 'src/board/expire-leases.ts',
        text: 'return liveness.isSilent(id, times.lease) && !writer.waiters.includes(id);',
        instead: 'return liveness.isSilent(id, times.lease) && writer === undefined;',
      },
    ],
  },
  {
    name: 'cut-off-early',
    about: 'a run is charged for the whole tick in which it began',
    scenario: 'time-limits',
    seeds: 200,
    patches: [
      { file: SIGNS, text: 'if (this.#working.has(id)) this.#worked', instead: 'this.#worked' },
    ],
  },
  {
    name: 'crashes-without-end',
    about: 'a task that kills every worker is requeued forever',
    scenario: 'crashes',
    seeds: 100,
    patches: [
      {
        file: RETRY_LIMITS,
        text: 'return crashes > crashRequeues;',
        instead: 'return crashes < 0;',
      },
    ],
  },
  {
    name: 'task-dropped-on-crash',
    about: 'the first lost worker ends its task',
    scenario: 'crashes',
    seeds: 50,
    patches: [
      {
        file: RETRY_LIMITS,
        text: 'return crashes > crashRequeues;',
        instead: 'return crashes > 0;',
      },
    ],
  },
];
