import type { Row } from '../../domain/row.ts';
import type { Group, SealedEvent } from '../../ports/store.ts';
import { decisionCells } from '../sql/decision-records.ts';
import { subjectsOf } from '../sql/event-subjects.ts';
import { heartbeatCells, noteCells, runCells, workerCells } from '../sql/run-columns.ts';
import { isSettingsRow, settingsCells } from '../sql/settings-columns.ts';
import { storable } from '../sql/stored-text.ts';
import { taskCells } from '../sql/task-columns.ts';
import { threadCells } from '../sql/thread-columns.ts';
import type { Section } from './append-statement.ts';
import type { Cells } from './connection.ts';

/** Everything a group writes, table by table. */
export function sectionsOf(group: Group, sealed: readonly SealedEvent[]): readonly Section[] {
  const { rows } = group;
  return [
    { table: 'event', how: 'insert', rows: eventCells(group, sealed) },
    ...taskSections(rows),
    ...threadSections(rows),
    { table: 'run', how: 'replace', rows: pick(rows, 'run').map(({ row }) => runCells(row)) },
    {
      table: 'worker',
      how: 'replace',
      rows: pick(rows, 'worker').map(({ row }) => workerCells(row)),
    },
    { table: 'note', how: 'insert', rows: pick(rows, 'note').map(({ row }) => noteCells(row)) },
    ...settingsSections(rows),
    ...observations(group),
    ...secretSections(group),
  ];
}

function eventCells(group: Group, sealed: readonly SealedEvent[]): readonly Cells[] {
  // The statement itself looks up the projects that the group does not name.
  const subjects = subjectsOf(group, () => null);
  return sealed.map(({ seq, at, actor, cause, type, body, hash, link }, n) => {
    const subject = subjects[n];
    return [seq, at, actor, cause, type, subject?.project, subject?.task, body, hash, link];
  });
}

function taskSections(rows: readonly Row[]): readonly Section[] {
  const tasks = pick(rows, 'task');
  const titled: Cells[] = [];
  const untitled: Cells[] = [];
  const bodies: Cells[] = [];
  const bodiless: Cells[] = [];
  for (const { row, text } of tasks) {
    if (text?.title === undefined) untitled.push(taskCells(row, ''));
    else titled.push(taskCells(row, storable(text.title)));
    if (text?.body) bodies.push([row.id, storable(text.body)]);
    else if (text?.body === '') bodiless.push([row.id]);
  }
  return [
    { table: 'task', how: 'replace', rows: titled },
    { table: 'task', how: 'renew', rows: untitled },
    { table: 'task_text', how: 'replace', rows: bodies },
    { table: 'task_text', how: 'remove', rows: bodiless },
  ];
}

function threadSections(rows: readonly Row[]): readonly Section[] {
  const threads = pick(rows, 'thread');
  const titled = threads.filter(({ text }) => text !== undefined);
  const untitled = threads.filter(({ text }) => text === undefined);
  return [
    {
      table: 'thread',
      how: 'replace',
      rows: titled.map(({ row, text }) => threadCells(row, storable(text?.title ?? ''))),
    },
    { table: 'thread', how: 'renew', rows: untitled.map(({ row }) => threadCells(row, '')) },
  ];
}

function settingsSections(rows: readonly Row[]): readonly Section[] {
  const settings = rows.filter(isSettingsRow);
  const removed = settings.filter(({ row }) => row === null);
  return [
    {
      table: 'settings',
      how: 'replace',
      rows: settings.filter(({ row }) => row !== null).map(settingsCells),
    },
    { table: 'settings', how: 'remove', rows: removed.map(({ table, key }) => [table, key]) },
  ];
}

function observations({ responses, log, decisions, heartbeats }: Group): readonly Section[] {
  return [
    {
      table: 'idempotency_key',
      how: 'replace',
      rows: responses.map(({ key, request, status, body, at }) => [
        ...[key, request, status, storable(body), at],
      ]),
    },
    {
      table: 'run_log',
      how: 'insert',
      rows: log.map(({ run, n, at, text }) => [run, n, at, storable(text)]),
    },
    { table: 'tool_decision', how: 'insert', rows: decisions.map(decisionCells) },
    { table: 'heartbeat', how: 'replace', rows: heartbeats.map(heartbeatCells) },
  ];
}

function secretSections({ secrets }: Group): readonly Section[] {
  const put: Cells[] = [];
  const removed: Cells[] = [];
  for (const { name, value } of secrets) {
    if (value === null) removed.push([name]);
    else put.push([name, value.sealed, value.previous]);
  }
  return [
    { table: 'secret_value', how: 'replace', rows: put },
    { table: 'secret_value', how: 'remove', rows: removed },
  ];
}

function pick<T extends Row['table']>(
  rows: readonly Row[],
  table: T,
): readonly Extract<Row, { readonly table: T }>[] {
  return rows.filter((row): row is Extract<Row, { readonly table: T }> => row.table === table);
}
