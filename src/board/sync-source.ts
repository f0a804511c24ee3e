import type { Board } from '../domain/board.ts';
import { decide } from '../domain/decision.ts';
import type { TaskId, ThreadId } from '../domain/ids.ts';
import { haveSameValues } from '../domain/same-values.ts';
import { type ConfiguredSource, readsIssues } from '../domain/sources/configured.ts';
import {
  type ItemRecord,
  itemKey,
  neverRead,
  type SourceItem,
  type SourceRecord,
} from '../domain/sources/item.ts';
import { isNew, postItems } from '../domain/sources/post-items.ts';
import { updateItem } from '../domain/sources/update-item.ts';
import { removeItem } from '../domain/sources/withdraw-item.ts';
import type { SourceReading, TaskSource } from '../ports/task-source.ts';
import type { Decide } from './command.ts';
import type { Hall } from './hall.ts';

export interface SyncNeeds {
  readonly hall: Hall;
  readonly open: (source: ConfiguredSource) => TaskSource;
  /** Looks at an issue of a project by the forge's API, which posts it. */
  readonly lookAt: (project: string, number: number) => Promise<void>;
}

interface Asked {
  readonly source: ConfiguredSource;
  /** A person asked for it: also what cannot have changed is read. */
  readonly isForced: boolean;
}

/** Reads a source once and brings the board in line with it. Throws what reading throws. */
export async function syncSource(needs: SyncNeeds, { source, isForced }: Asked): Promise<void> {
  const { hall } = needs;
  const before = hall.board.sources.get(source.id) ?? neverRead(source);
  const isPending = recordsOf(hall.board, source).some(({ newer }) => newer !== undefined);
  const since = isForced || isPending || before.failure !== null ? null : before.position;
  const reading = await needs.open(source).read(since);
  if (reading === 'unchanged') return;
  if (readsIssues(source)) await lookAtIssues(needs, { source, isForced, reading });
  else await takeFiles(needs.hall, source, reading);
  await recordReading(hall, source, reading);
}

async function recordReading(
  hall: Hall,
  { id, project }: ConfiguredSource,
  { position, files, problems }: SourceReading,
): Promise<void> {
  const before = hall.board.sources.get(id);
  const facts = { id, project, position, files, problems, failure: null };
  if (before && haveSameValues(before, { ...facts, readAt: before.readAt })) return;
  const source: SourceRecord = { ...facts, readAt: hall.clock.now() };
  await change(hall, id, () => decide(id, [{ type: 'SourceRead', source }]));
}

function recordsOf(board: Board, { id, project }: ConfiguredSource): readonly ItemRecord[] {
  return [...board.items.values()].filter((item) => item.source === id && item.project === project);
}

interface ReadIssues extends Asked {
  readonly reading: SourceReading;
}

/** Only what is new or missing: the poll of the forge looks at every issue that changed. */
async function lookAtIssues(
  { hall, lookAt }: SyncNeeds,
  { source, isForced, reading }: ReadIssues,
): Promise<void> {
  const { project } = source;
  const listed = new Set(reading.items.map(({ id }) => id));
  const known = (id: string) => hall.board.items.get(itemKey(project, id));
  const fresh = reading.items.filter(({ id }) => isForced || !known(id) || known(id)?.gone);
  const missing = reading.isComplete
    ? recordsOf(hall.board, source).filter(({ item, gone }) => !gone && !listed.has(item))
    : [];
  for (const id of [...fresh.map((item) => item.id), ...missing.map(({ item }) => item)]) {
    await lookAt(project, Number(id.slice(id.lastIndexOf('#') + 1)));
  }
  // The look withdrew what it could see; of a deleted issue it sees nothing.
  for (const { key } of missing) {
    await withdrawItem(hall, { source: source.id, key, because: 'its issue was deleted' });
  }
}

async function takeFiles(
  hall: Hall,
  source: ConfiguredSource,
  reading: SourceReading,
): Promise<void> {
  const { items, problems, isComplete } = reading;
  for (const [, group] of Map.groupBy(items, ({ file }) => file)) {
    if (!group.some((item) => isNew(hall.board, source, item))) continue;
    const keys = keysOf(hall.board, source.project, group);
    const post: Decide<unknown> = (board, now, closed) =>
      postItems(board, closed, { source, items: group }, now);
    await change(hall, source.id, post, keys);
  }
  for (const item of items) {
    if (isUpToDate(hall, source, item)) continue;
    const step: Decide<unknown> = (board, now, closed) =>
      updateItem(board, closed, { source, item }, now);
    await repeat(hall, { source: source.id, key: itemKey(source.project, item.id), step, item });
  }
  if (!isComplete) return;
  const there = new Set(items.map(({ id }) => id));
  const broken = new Set(problems.map(({ file }) => file));
  for (const { key, item, file, gone } of recordsOf(hall.board, source)) {
    if (gone || there.has(item) || broken.has(file ?? '')) continue;
    await withdrawItem(hall, { source: source.id, key, because: `${item} was removed` });
  }
}

/** Of a thousand items, few change: the others need no turn of the writer. */
function isUpToDate(hall: Hall, source: ConfiguredSource, item: SourceItem): boolean {
  const now = { at: hall.clock.now(), actor: 'hall' };
  return updateItem(hall.board, NOTHING_CLOSED, { source, item }, now).events.length === 0;
}

const NOTHING_CLOSED = { task: () => undefined, thread: () => undefined };

interface Withdrawal {
  readonly source: string;
  readonly key: string;
  readonly because: string;
}

async function withdrawItem(hall: Hall, { source, key, because }: Withdrawal): Promise<void> {
  const step: Decide<unknown> = (board, now, closed) => {
    const record = board.items.get(key);
    if (!record || record.gone) return decide(null, []);
    return removeItem(board, closed, { record, because }, now);
  };
  await repeat(hall, { source, key, step });
}

/** Each call makes one step, such as ending one task. */
const MAX_STEPS = 100;

interface Steps {
  readonly source: string;
  /** The key of the item. */
  readonly key: string;
  readonly step: Decide<unknown>;
  readonly item?: SourceItem;
}

/** Until a step changes nothing. */
async function repeat(hall: Hall, { source, key, step, item }: Steps): Promise<void> {
  for (let steps = 0; steps < MAX_STEPS; steps += 1) {
    const { board } = hall;
    const { project = '', thread = null } = board.items.get(key) ?? {};
    let changes = 0;
    const counted: Decide<unknown> = (...args) => {
      const decision = step(...args);
      changes = decision.events.length;
      return decision;
    };
    await change(hall, source, counted, keysOf(board, project, item ? [item] : [], thread));
    if (changes === 0) return;
  }
}

interface Keys {
  readonly threads: readonly ThreadId[];
  readonly tasks: readonly TaskId[];
}

/** The threads of items and of what they depend on, which may be closed. Their first tasks have the same numbers. */
function keysOf(
  board: Board,
  project: string,
  items: readonly SourceItem[],
  own: ThreadId | null = null,
): Keys {
  const ids = items.flatMap(({ id, dependsOn }) => [id, ...dependsOn]);
  const found = ids.flatMap((id) => board.items.get(itemKey(project, id))?.thread ?? []);
  const threads = [...new Set([...found, ...(own === null ? [] : [own])])].filter(
    (id) => !board.threads.has(id),
  );
  return { threads, tasks: threads.map((id) => id as number as TaskId) };
}

async function change(
  hall: Hall,
  source: string,
  step: Decide<unknown>,
  keys: Keys = { threads: [], tasks: [] },
): Promise<void> {
  const meta = { actor: `source:${source}`, cause: 'source' };
  await hall.leading()?.writer.change({ meta, decide: step, keys });
}
