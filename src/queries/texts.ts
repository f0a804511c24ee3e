import type { TaskId } from '../domain/ids.ts';
import type { Reads, Words } from '../ports/store.ts';

export interface Texts {
  of(id: TaskId): Promise<Words | undefined>;
}

interface Asked {
  readonly id: TaskId;
  readonly settle: (words: Words | undefined) => void;
  readonly fail: (fault: Error) => void;
}

/** Reads the words of tasks. Claims that were committed together ask the store once. */
export function createTexts(store: Pick<Reads, 'wordsOf'>): Texts {
  let waiting: Asked[] = [];

  function readAll(): void {
    const asked = waiting;
    waiting = [];
    store.wordsOf(asked.map(({ id }) => id)).then(
      (words) => {
        for (const { id, settle } of asked) settle(words.get(id));
      },
      (fault: Error) => {
        for (const { fail } of asked) fail(fault);
      },
    );
  }

  return {
    of(id) {
      if (waiting.length === 0) process.nextTick(readAll);
      return new Promise((settle, fail) => {
        waiting.push({ id, settle, fail });
      });
    },
  };
}
