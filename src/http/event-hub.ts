import type { Hall } from '../board/hall.ts';
import type { Recorded } from '../domain/event.ts';
import { createSubjects, type Subject } from './subjects.ts';
import { eventView } from './views/event.ts';

/** An event as every stream writes it. */
export interface Told {
  readonly seq: number;
  readonly bytes: Buffer;
  /** Undefined when it cannot be told from memory. */
  readonly subject: Subject | undefined;
}

export interface EventHub {
  /** The last event that was told. */
  readonly seq: number;
  readonly listeners: number;
  listen(listener: (told: readonly Told[]) => void): { stop(): void };
}

/** Writes each event once, whatever the number of readers; while there are none, not at all. */
export function createEventHub(hall: Hall): EventHub {
  const listeners = new Set<(told: readonly Told[]) => void>();
  let seq = hall.board.seq;
  let subjectOf: ReturnType<typeof createSubjects> | undefined;

  hall.subscribe((events) => {
    seq = events.at(-1)?.seq ?? seq;
    if (listeners.size === 0 || !subjectOf) return;
    const about = subjectOf;
    const told = events.map((recorded) => ({
      seq: recorded.seq,
      bytes: Buffer.from(message(recorded), 'utf8'),
      subject: about(recorded.event),
    }));
    for (const listener of listeners) listener(told);
  });

  return {
    get seq() {
      return seq;
    },
    get listeners() {
      return listeners.size;
    },
    listen(listener) {
      subjectOf ??= createSubjects(hall.board);
      listeners.add(listener);
      return {
        stop() {
          listeners.delete(listener);
          if (listeners.size === 0) subjectOf = undefined;
        },
      };
    },
  };
}

export function message(recorded: Recorded): string {
  const { seq, event } = recorded;
  return `id: ${seq}\nevent: ${event.type}\ndata: ${JSON.stringify(eventView(recorded))}\n\n`;
}
