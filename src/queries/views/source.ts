import type { Board as BoardOut } from '../../api/overview.ts';
import type { SourceView } from '../../api/sources.ts';
import type { Board } from '../../domain/board.ts';
import type { Instant } from '../../domain/ids.ts';
import { allSources, type ConfiguredSource, whyNotRead } from '../../domain/sources/configured.ts';
import { type ItemRecord, neverRead, type SourceRecord } from '../../domain/sources/item.ts';
import {
  itemsByFile,
  type Progress,
  progressOf,
  progressText,
} from '../../domain/sources/progress.ts';
import { failureText } from '../../domain/sources/retry.ts';
import { timeOf } from './ids-and-times.ts';

type ItemsByFile = ReturnType<typeof itemsByFile>;

/** The sources with the figures of the board. Those that other programs post through have none. */
export function boardSources(board: Board): BoardOut['sources'] {
  const items = itemsByFile(board);
  return allSources(board)
    .filter(({ kind }) => kind !== 'api')
    .map((source) => shortView(board, source, items));
}

/** All that is known about each source. */
export function sourceViews(
  board: Board,
  readAt: (id: string) => Instant | null,
): readonly SourceView[] {
  const items = itemsByFile(board);
  return allSources(board).map((source) => {
    const record = board.sources.get(source.id) ?? neverRead(source);
    const at = readAt(source.id) ?? record.readAt;
    const own = items.get(source.id)?.get(null) ?? [];
    return {
      ...shortView(board, source, items),
      settings: settingsOf(board, source),
      read_at: at === null ? null : timeOf(at),
      commit: record.position?.split(' ', 1)[0] ?? null,
      files: filesOf(board, record, items),
      refused: [...record.problems],
      not_posted: own.flatMap(notPosted),
    };
  });
}

function shortView(board: Board, source: ConfiguredSource, items: ItemsByFile) {
  const { id, project, kind } = source;
  const files = items.get(id) ?? new Map<string | null, readonly ItemRecord[]>();
  const shown = [...files].flatMap(([path, own]) =>
    path === null || own.every(({ gone, ended }) => gone && ended !== 'done')
      ? []
      : [{ path, ...progressView(progressOf(board, own)) }],
  );
  return {
    ...{ id, project, kind, ...statusOf(board, source) },
    ...progressView(progressOf(board, files.get(null) ?? [])),
    files: shown.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
  };
}

function filesOf(
  board: Board,
  { id, files }: SourceRecord,
  items: ItemsByFile,
): SourceView['files'] {
  return files.map(({ path, status, notPosted: not_posted, head }) => ({
    path,
    ...progressView(progressOf(board, items.get(id)?.get(path) ?? [])),
    status,
    not_posted,
    head: Object.fromEntries(
      Object.entries(head).map(([key, value]) => [
        key,
        typeof value === 'string' ? value : [...value],
      ]),
    ),
  }));
}

function notPosted({ item, title, gone, notPosted: because }: ItemRecord) {
  return because === undefined || gone ? [] : [{ item, title, because }];
}

function settingsOf({ projects }: Board, { id, project, kind }: ConfiguredSource) {
  const settings = projects.get(project)?.settings.sources.filter((each) => each.kind === kind);
  const at = id.endsWith(kind) ? 0 : Number(id.slice(id.lastIndexOf('-') + 1)) - 1;
  const { kind: _, ...rest } = settings?.[at] ?? { kind };
  return rest;
}

function progressView(progress: Progress) {
  const { toMerge: to_merge, inReview: in_review, ...counts } = progress;
  return { progress: progressText(progress), counts: { ...counts, to_merge, in_review } };
}

type Status = Pick<SourceView, 'status' | 'says'>;

function statusOf(board: Board, source: ConfiguredSource): Status {
  if (source.kind === 'api') return { status: 'up', says: 'other programs post its tasks' };
  const unread = whyNotRead(board, source);
  if (unread !== null) return { status: 'degraded', says: `nobody reads it: ${unread}` };
  const paused = board.projects.get(source.project)?.paused;
  if (paused) return { status: 'paused', says: 'its project is paused' };
  const record = board.sources.get(source.id);
  if (record?.failure) return { status: 'degraded', says: failureText(record.failure) };
  if (!record) return { status: 'not_read_yet', says: null };
  const [first, ...more] = record.problems;
  if (!first) return { status: 'up', says: null };
  const rest = more.length === 0 ? '' : `, and ${more.length} more`;
  return {
    status: 'degraded',
    says: `refused ${first.file}:${first.line}: ${first.because}${rest}`,
  };
}
