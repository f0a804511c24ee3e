import type { TaskId } from '../domain/ids.ts';
import type { Reads, TaskRecord } from '../ports/store.ts';

export interface Texts {
  of(id: TaskId): Promise<TaskRecord | undefined>;
}

interface Asked {
  readonly id: TaskId;
  readonly settle: (record: TaskRecord | undefined) => void;
  readonly fail: (fault: Error) => void;
}

/** Reads the words of tasks. Claims that were committed together ask the store once. */
export function createTexts(store: Pick<Reads, 'tasksById'>): Texts {
  let waiting: Asked[] = [];

  function readAll(): void {
    const asked = waiting;
    waiting = [];
    store.tasksById(asked.map(({ id }) => id)).then(
      (records) => {
        const byId = new Map(records.map((record) => [record.task.id, record]));
        for (const { id, settle } of asked) settle(byId.get(id));
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
