import type { TaskId } from '../domain/ids.ts';
import type { Reads, TaskText } from '../ports/store.ts';

interface TaskTexts {
  of(id: TaskId): Promise<TaskText | undefined>;
}

interface Asked {
  readonly id: TaskId;
  readonly settle: (text: TaskText | undefined) => void;
  readonly fail: (fault: Error) => void;
}

/** Reads the texts of tasks. Claims committed together share one read from the store. */
export function createTaskTexts(store: Pick<Reads, 'textsOf'>): TaskTexts {
  let waiting: Asked[] = [];

  function readAll(): void {
    const batch = waiting;
    waiting = [];
    store.textsOf(batch.map(({ id }) => id)).then(
      (texts) => {
        for (const { id, settle } of batch) settle(texts.get(id));
      },
      (fault: Error) => {
        for (const { fail } of batch) fail(fault);
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
