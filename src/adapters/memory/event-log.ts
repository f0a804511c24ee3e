import type { Recorded } from '../../domain/event.ts';
import type { Subject } from '../../domain/event-subject.ts';
import type { Instant } from '../../domain/ids.ts';
import type { Appended, EventQuery, Head, Page, SealedEvent } from '../../ports/store.ts';
import { NO_HEAD } from '../../ports/store.ts';
import { seal } from '../sql/chain.ts';
import { SCAN } from '../sql/task-page.ts';

/** The events themselves; event n is at index n - 1. */
export interface MemoryLog {
  head(): Head;
  append(events: readonly Appended[], subjects: readonly Subject[]): Head;
  page(query: EventQuery): Page<Recorded>;
  sealed(after: number, limit: number): readonly SealedEvent[];
  seqAt(at: Instant): number;
}

interface Entry {
  readonly recorded: Recorded;
  readonly subject: Subject | undefined;
}

export function createMemoryLog(): MemoryLog {
  const entries: Entry[] = [];
  const sealed: SealedEvent[] = [];
  let head = NO_HEAD;

  return {
    head: () => head,
    append(events, subjects) {
      const next = seal(head, events);
      for (const [n, { stored: _, ...recorded }] of events.entries()) {
        entries.push({ recorded, subject: subjects[n] });
      }
      sealed.push(...next.sealed);
      head = next.head;
      return head;
    },
    page: (query) => pageOf(entries, query),
    sealed: (after, limit) => sealed.slice(after, after + Math.min(limit, SCAN)),
    seqAt: (at) => lastAt(entries, at),
  };
}

function pageOf(entries: readonly Entry[], query: EventQuery): Page<Recorded> {
  const after = query.after ?? 0;
  const before = Math.min(query.before ?? Number.MAX_SAFE_INTEGER, entries.length + 1);
  const limit = Math.min(query.limit, SCAN);
  const step = query.newestFirst ? -1 : 1;
  const rows: Recorded[] = [];
  let scanned = 0;
  for (let seq = step > 0 ? after + 1 : before - 1; seq > after && seq < before; seq += step) {
    const entry = entries[seq - 1];
    if (scanned === SCAN && query.task === undefined) return { rows, next: seq - step };
    scanned += 1;
    if (!entry || !matches(entry, query)) continue;
    if (rows.length === limit) return { rows, next: rows.at(-1)?.seq };
    rows.push(entry.recorded);
  }
  return { rows, next: undefined };
}

function matches({ recorded, subject }: Entry, { project, task, types }: EventQuery): boolean {
  if (project !== undefined && subject?.project !== project) return false;
  if (task !== undefined && subject?.task !== task) return false;
  return types === undefined || types.includes(recorded.event.type);
}

/** Binary search like the other stores, so a clock that was set back gives the same answer. */
function lastAt(entries: readonly Entry[], at: Instant): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const middleTime = entries[middle - 1]?.recorded.at ?? 0;
    if (middleTime <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}
