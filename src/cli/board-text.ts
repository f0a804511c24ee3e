import { visible } from '../api/escape-control-characters.ts';
import type { OperationResult } from '../api/operation.ts';
import type { Cli } from './command.ts';
import { formatAge, formatTime } from './format-time.ts';
import type { Output } from './output.ts';
import { plural } from './plural.ts';
import type { Column } from './table.ts';
import { STATE_COLOURS } from './task/columns.ts';
import { WORKER_COLUMNS } from './worker/list.ts';

type Board = OperationResult<'getBoard'>;

type Printing = Pick<Cli, 'out' | 'command' | 'localized'>;

/** The board for a person: what needs them first, then tasks, projects and workers. */
export function boardText(board: Board, printing: Printing): string {
  const { out, command } = printing;
  const { totals, hall, at, tasks, projects, workers } = board;
  const count = `${totals.open} open, ${totals.running} running, ${plural(totals.workers, 'worker')}`;
  const parts = [
    ...needsText(board, printing),
    `${count} at ${formatTime(at)} (event ${board.seq})`,
    ...hallText(hall, out),
    ...parentsText(board),
    ...sourcesText(board, out),
    '',
    out.table(
      PROJECT_COLUMNS,
      projects,
      `no projects; add one with: ${command('project add', 'NAME')}`,
    ),
    ...warnings(board, printing),
  ];
  if (tasks.length > 0) parts.push('', out.table(taskColumns(at), tasks, ''), ...restText(board));
  if (workers.length > 0)
    parts.push('', out.table(WORKER_COLUMNS, workers, ''), ...late(board, out));
  return parts.join('\n');
}

function needsText(
  { at, needs_person: needs, needs_person_more: more }: Board,
  { out, localized }: Printing,
): readonly string[] {
  if (needs.length === 0) return [];
  const width = Math.max(...needs.map(({ kind }) => kind.length));
  const lines = needs.flatMap(({ kind, id, project, title, since, because, command }) => {
    const what = kind.replace('_', ' ').padEnd(width);
    return [
      `${out.colours.yellow(what)}  ${id}  ${project}  ${formatAge(since, at)}  ${visible(title)}: ${visible(localized(because))}`,
      out.colours.dim(`${' '.repeat(width)}  ${localized(command)}`),
    ];
  });
  const head = `${more ? 'more than ' : ''}${needs.length} waiting for a person`;
  return [out.colours.bold(head), ...lines, ''];
}

function hallText({ paused, draining }: Board['hall'], { colours }: Output): readonly string[] {
  const text = (state: string, pause: NonNullable<Board['hall']['paused']>) => {
    const because = pause.because === null ? '' : `: ${visible(pause.because)}`;
    return colours.yellow(
      `the hall has been ${state} since ${formatTime(pause.since)} (by ${visible(pause.by)})${because}`,
    );
  };
  return [
    ...(paused ? [text('paused', paused)] : []),
    ...(draining ? [text('draining', draining)] : []),
  ];
}

function parentsText({ parents }: Board): readonly string[] {
  return parents.map(
    ({ id, project, title, progress }) => `${id}  ${project}  ${visible(title)}: ${progress}`,
  );
}

function sourcesText({ sources }: Board, { colours }: Output): readonly string[] {
  return sources.flatMap(({ id, progress, says, files }) => [
    `${id}: ${progress}`,
    ...files.map((file) => `  ${visible(file.path)}: ${file.progress}`),
    ...(says === null ? [] : [`  ${colours.yellow(visible(says))}`]),
  ]);
}

function warnings({ projects }: Board, { out, localized }: Printing): readonly string[] {
  const { colours } = out;
  return projects.flatMap((project) => [
    ...[project.cannot_start ?? []].flat().map((stuck) => colours.red(visible(localized(stuck)))),
    ...[project.missing_isolation ?? [], project.missing_gate ?? [], project.exposed_secrets]
      .flat()
      .map((risk) => colours.red(`${project.name}: ${visible(localized(risk))}`)),
    ...[project.says ?? []]
      .flat()
      .map((hint) => colours.yellow(`${project.name}: ${visible(localized(hint))}`)),
  ]);
}

const PROJECT_COLUMNS: readonly Column<Board['projects'][number]>[] = [
  { head: 'PROJECT', cell: ({ name }) => name },
  {
    head: 'RUNNING',
    cell: ({ running, max_workers }) => `${running}/${max_workers}`,
    align: 'right',
  },
  { head: 'OPEN', cell: ({ open }) => open, align: 'right' },
  { head: 'TASKS', cell: ({ counts }) => countsText(counts) },
  { head: 'PAUSED', cell: ({ paused }) => (paused ? (paused.because ?? 'yes') : '') },
];

/** Lists only the states that some task is in. */
export function countsText(counts: Readonly<Record<string, number | undefined>>): string {
  const some = Object.entries(counts).filter(([, count]) => (count ?? 0) > 0);
  return some.map(([state, count]) => `${count} ${state}`).join(', ') || '–';
}

function taskColumns(now: string): readonly Column<Board['tasks'][number]>[] {
  return [
    { head: 'TASK', cell: ({ id }) => id },
    { head: 'STATE', cell: ({ state }) => state, colour: ({ state }) => STATE_COLOURS[state] },
    { head: 'SINCE', cell: ({ since }) => formatAge(since, now) },
    { head: 'PROJECT', cell: ({ project }) => project },
    { head: 'COST', cell: ({ cost_usd }) => costText(cost_usd), align: 'right' },
    { head: 'TITLE', cell: ({ title, progress }) => (progress ? `${title} (${progress})` : title) },
  ];
}

function costText(usd: number): string | null {
  return usd === 0 ? null : `$${usd.toFixed(usd < 0.01 ? 4 : 2)}`;
}

function restText({ tasks, totals }: Board): readonly string[] {
  const all = Object.values(totals.counts).reduce((sum, count) => sum + count, 0);
  const rest = all - tasks.length;
  return rest > 0 ? [`and ${plural(rest, 'other task')}; task list shows all`] : [];
}

/** Runs that have taken longer than the target of their size, which ends nothing. */
function late({ workers }: Board, { colours }: Output): readonly string[] {
  return workers.flatMap(({ run }) => {
    const since = run?.over_target_since ?? null;
    if (run === null || since === null) return [];
    const text = `${run.task}: ${run.id} has taken longer than the target of its size since ${formatTime(since)}`;
    return [colours.yellow(text)];
  });
}
