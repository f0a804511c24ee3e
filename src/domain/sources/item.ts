import type { Board } from '../board.ts';
import type { HallEvent, Recorded } from '../event.ts';
import type { Instant, TaskId, ThreadId } from '../ids.ts';
import type { Note, Row } from '../row.ts';
import type { Size } from '../size.ts';
import type { Thread, ThreadState } from '../thread.ts';

/** A piece of work as its source describes it. */
export interface SourceItem {
  /** The same at every read: `.sdd/tasks/cart-tasks.md#TASK-001`, `specs/cart.md`, `github:acme/shop#12`. */
  readonly id: string;
  /** The file it stands in; null for an issue. */
  readonly file: string | null;
  /** The line of the file that begins it; 0 for an issue. */
  readonly line: number;
  readonly title: string;
  readonly body: string;
  /** Null leaves the size to the project. */
  readonly size: Size | null;
  /** The ids of other items of the same source. */
  readonly dependsOn: readonly string[];
  /** Its source says that the work is done. */
  readonly isDone: boolean;
  /** Of title, text, size and dependencies, so that a change is noticed. */
  readonly hash: string;
}

/** What the hall did about an item. It outlives the thread, so that an item is posted once. */
export interface ItemRecord {
  readonly key: string;
  readonly project: string;
  readonly source: string;
  readonly item: string;
  readonly file: string | null;
  readonly title: string;
  /** The thread of the item, open or not; null while nothing was posted for it. */
  readonly thread: ThreadId | null;
  /** The hash of the text that its task has; empty while nothing was posted. */
  readonly hash: string;
  /** The hash of a newer text that waits for the end of the thread. */
  readonly newer?: string;
  /** How its thread was closed. While the thread is open, the thread says how it stands. */
  readonly ended?: Exclude<ThreadState, 'open'>;
  /** The source was read after the thread was done, so a change from now on is new work. */
  readonly settled?: true;
  /** It is closed, deleted, or no longer matches the filter. */
  readonly gone?: true;
  /** The source says that the work is done. */
  readonly isDone?: true;
  /** Why nothing was posted for it. */
  readonly notPosted?: string;
  /** Of an issue: the event of the label that authorised its text. */
  readonly authorisedBy?: string;
}

/** A part of a file that cannot be used, so the file changes nothing. */
export interface FileProblem {
  readonly file: string;
  readonly line: number;
  readonly because: string;
}

/** A file of a source, with what its head says about it. */
export interface SourceFile {
  readonly path: string;
  readonly status: string | null;
  /** Why its tasks are not posted; null where they are. */
  readonly notPosted: string | null;
  /** Further entries of its front matter. */
  readonly head: Readonly<Record<string, string | readonly string[]>>;
}

/** What the last tries to read a source came to. */
export interface SourceRecord {
  readonly id: string;
  readonly project: string;
  /** What was read last, such as a commit; null before the first time. */
  readonly position: string | null;
  readonly readAt: Instant | null;
  readonly files: readonly SourceFile[];
  readonly problems: readonly FileProblem[];
  readonly failure: SourceFailure | null;
}

export interface SourceFailure {
  readonly since: Instant;
  readonly because: string;
  /** How often reading failed in a row. */
  readonly tries: number;
}

export function itemKey(project: string, item: string): string {
  return `${project} ${item}`;
}

export function neverRead({ id, project }: Pick<SourceRecord, 'id' | 'project'>): SourceRecord {
  return { id, project, position: null, readAt: null, files: [], problems: [], failure: null };
}

type SourceEvent = Extract<
  HallEvent,
  {
    type:
      | 'SourceRead'
      | 'SourceFailed'
      | 'SourceForgotten'
      | 'SourceItemSeen'
      | 'SourceItemForgotten'
      | 'SourceItemNoted';
  }
>;

export function evolveSources(board: Board, event: SourceEvent, at: Recorded): readonly Row[] {
  switch (event.type) {
    case 'SourceRead':
    case 'SourceFailed':
      board.sources.set(event.source.id, event.source);
      return [{ table: 'source', key: event.source.id, row: event.source }];
    case 'SourceForgotten':
      board.sources.delete(event.source);
      return [{ table: 'source', key: event.source, row: null }];
    case 'SourceItemSeen':
      return putItem(board, event.item);
    case 'SourceItemForgotten':
      return dropItem(board, event.item);
    case 'SourceItemNoted':
      return [noteOf(event.thread, event.text, at)];
  }
}

export function putItem(board: Board, item: ItemRecord): readonly Row[] {
  board.items.set(item.key, item);
  if (item.thread !== null) board.itemOf.set(item.thread, item.key);
  return [{ table: 'item', key: item.key, row: item }];
}

function dropItem(board: Board, key: string): readonly Row[] {
  const thread = board.items.get(key)?.thread ?? null;
  if (thread !== null) board.itemOf.delete(thread);
  board.items.delete(key);
  return [{ table: 'item', key, row: null }];
}

/** A thread was closed: its item remembers how. */
export function endItem(board: Board, { id, state }: Thread): readonly Row[] {
  const key = board.itemOf.get(id);
  const item = key === undefined ? undefined : board.items.get(key);
  if (!item || state === 'open') return [];
  const { settled: _, ...before } = item;
  return putItem(board, { ...before, ended: state });
}

/** Notes about a whole thread are stored with its first task, which has the same number. */
function noteOf(thread: ThreadId, text: string, at: Recorded): Row {
  const task = thread as number as TaskId;
  const row: Note = {
    seq: at.seq,
    thread,
    task,
    run: null,
    by: at.actor,
    at: at.at,
    kind: 'note',
    text,
  };
  return { table: 'note', key: at.seq, row };
}
