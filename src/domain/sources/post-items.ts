import type { Board } from '../board.ts';
import type { ClosedWork } from '../closed-work.ts';
import { type Decision, decide, type Now } from '../decision.ts';
import type { Dependency } from '../dependencies/look-up.ts';
import type { HallEvent } from '../event.ts';
import type { ThreadId } from '../ids.ts';
import { type Posting, post } from '../posting.ts';
import { isRefusal } from '../refusal.ts';
import { haveSameValues } from '../same-values.ts';
import type { ConfiguredSource } from './configured.ts';
import { type ItemRecord, itemKey, type SourceItem } from './item.ts';

interface NewItems {
  readonly source: ConfiguredSource;
  readonly items: readonly SourceItem[];
}

/**
 * Posts the items of a file that the board does not have yet, in their order in the file and all at once, so
 * that they can depend on each other in any direction.
 */
export function postItems(
  board: Board,
  closed: ClosedWork,
  { source, items }: NewItems,
  now: Now,
): Decision<readonly ThreadId[]> {
  const fresh = items.filter((item) => isNew(board, source, item));
  const waiting = fresh.filter(({ isDone }) => !isDone);
  const done = fresh.filter(({ isDone }) => isDone);
  const recorded = done.flatMap((item) =>
    seenEvents(board, { ...recordFor(source, item), isDone: true }),
  );
  if (waiting.length === 0) return decide([], recorded);
  const refs = new Set(waiting.map(({ id }) => id));
  const postings = waiting.map((item) => postingOf(board, { source, item, refs }));
  const { events, answer } = post(board, closed, postings, now);
  if (isRefusal(answer)) {
    const { because: notPosted } = answer;
    const refused = waiting.flatMap((item) =>
      seenEvents(board, { ...recordFor(source, item), notPosted }),
    );
    return decide([], [...refused, ...recorded]);
  }
  const posted = waiting.flatMap((item, at) => {
    const thread = answer[at]?.thread ?? null;
    return seenEvents(board, { ...recordFor(source, item), thread, hash: item.hash });
  });
  const threads = answer.map(({ thread }) => thread);
  return decide(threads, [...events, ...posted, ...recorded]);
}

/** Nothing was posted for it yet. */
export function isNew(board: Board, { project }: ConfiguredSource, { id }: SourceItem): boolean {
  return (board.items.get(itemKey(project, id))?.thread ?? null) === null;
}

interface ToPost {
  readonly source: ConfiguredSource;
  readonly item: SourceItem;
  /** The items that are posted together. */
  readonly refs: ReadonlySet<string>;
}

function postingOf(board: Board, { source, item, refs }: ToPost): Posting {
  const { project } = source;
  const { id, title, body, size } = item;
  const inPost = (other: string): Dependency | undefined =>
    refs.has(other) ? { ref: other } : undefined;
  const dependsOn = item.dependsOn.flatMap(
    (on) => inPost(on) ?? threadOf(board, project, on) ?? [],
  );
  return {
    ...{ project, title, body, size, dependsOn },
    skill: 'implement',
    type: null,
    agent: null,
    labels: [],
    ref: id,
    parent: null,
  };
}

/** The thread of an item that is on the board. One that its source calls done has none. */
export function threadOf(board: Board, project: string, item: string): Dependency | undefined {
  const thread = board.items.get(itemKey(project, item))?.thread ?? null;
  return thread === null ? undefined : { thread };
}

export function recordFor(source: ConfiguredSource, item: SourceItem): ItemRecord {
  const { project, id } = source;
  return {
    key: itemKey(project, item.id),
    project,
    source: id,
    item: item.id,
    file: item.file,
    title: item.title,
    thread: null,
    hash: '',
  };
}

/** The event that remembers an item; none if the board knows all of it. */
export function seenEvents(board: Board, item: ItemRecord): readonly HallEvent[] {
  const before = board.items.get(item.key);
  if (before && haveSameValues(before, item)) return [];
  return [{ type: 'SourceItemSeen', item }];
}
