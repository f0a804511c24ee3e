import type { Hall } from '../board/hall.ts';
import type { Recorded } from '../domain/event.ts';
import type { Subject } from '../domain/event-subject.ts';
import { createSubjects } from '../queries/event-subjects.ts';
import { eventView } from '../queries/views/event.ts';

/** The events of one commit, as every stream writes them. */
export interface Batch {
  readonly events: readonly RenderedEvent[];
  /** All events in one buffer that the readers share: a slow reader must not cost extra memory. */
  readonly bytes: Buffer;
}

export interface RenderedEvent {
  readonly seq: number;
  /** This event's part of the batch. */
  readonly bytes: Buffer;
  /** Undefined when memory does not have it. */
  readonly subject: Subject | undefined;
}

export interface EventHub {
  /** The last event that was published. */
  readonly seq: number;
  readonly listeners: number;
  listen(listener: (batch: Batch) => void): { stop(): void };
}

/** Renders each event once for all readers, and not at all while there are none. */
export function createEventHub(hall: Hall): EventHub {
  const listeners = new Set<(batch: Batch) => void>();
  let seq = hall.board.seq;
  let subjectOf: ReturnType<typeof createSubjects> | undefined;

  hall.subscribe((events) => {
    seq = events.at(-1)?.seq ?? seq;
    if (listeners.size === 0 || !subjectOf) return;
    const batch = batchOf(events, subjectOf);
    for (const listener of listeners) listener(batch);
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

function batchOf(events: readonly Recorded[], subjectOf: ReturnType<typeof createSubjects>): Batch {
  const messages = events.map((recorded) => Buffer.from(message(recorded), 'utf8'));
  const bytes = Buffer.concat(messages);
  let end = 0;
  const rendered = events.map(({ seq, event }, at) => {
    const start = end;
    end += messages[at]?.length ?? 0;
    return { seq, bytes: bytes.subarray(start, end), subject: subjectOf(event) };
  });
  return { events: rendered, bytes };
}

export function message(recorded: Recorded): string {
  const { seq, event } = recorded;
  return `id: ${seq}\nevent: ${event.type}\ndata: ${JSON.stringify(eventView(recorded))}\n\n`;
}
