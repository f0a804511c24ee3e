import type { ApprovalId, RunId, TaskId } from '../../domain/ids.ts';
import {
  type DecisionPage,
  type DecisionQuery,
  decisionId,
  type ToolDecision,
} from '../../ports/store.ts';
import type { Cell, RunQuery } from './dialect.ts';
import { storable } from './stored-text.ts';
import { columnsOf } from './tables.ts';
import { SCAN } from './task-page.ts';

type DecisionCells = readonly [
  id: string,
  at: number,
  run: number,
  task: number,
  project: string,
  verdict: string,
  decidedBy: string,
  facts: string,
];

type Facts = Pick<
  ToolDecision,
  'tool' | 'command' | 'cwd' | 'rule' | 'because' | 'actor' | 'approval' | 'took'
>;

/** The cells in the order of `TABLES.tool_decision`. */
export function decisionCells(decision: ToolDecision): readonly Cell[] {
  const { id, at, run, task, project, verdict, by, ...facts } = decision;
  return [id, at, run, task, project, verdict, by, storable(JSON.stringify(facts))];
}

function decisionFrom(cells: DecisionCells): ToolDecision {
  const [id, at, run, task, project, verdict, by, facts] = cells;
  const details: Facts = JSON.parse(facts);
  return {
    ...details,
    id,
    at,
    project,
    run: run as RunId,
    task: task as TaskId,
    verdict: verdict as ToolDecision['verdict'],
    by: by as ToolDecision['by'],
    approval: details.approval as ApprovalId | null,
  };
}

/** Newest first; the key sorts by time, so a time range is a key range. */
export async function decisionPage(
  runQuery: RunQuery,
  query: DecisionQuery,
): Promise<DecisionPage> {
  const limit = Math.min(query.limit, SCAN);
  const conditions = conditionsOf(query);
  const where = conditions.map(([condition]) => condition).join(' AND ') || '1 = 1';
  const sql = `SELECT ${columnsOf('tool_decision').join(', ')} FROM tool_decision
    WHERE ${where} ORDER BY id DESC LIMIT ?`;
  const values = conditions.map(([, value]) => value);
  const cells = await runQuery<DecisionCells>(sql, [...values, limit + 1]);
  const rows = cells.slice(0, limit).map(decisionFrom);
  return { rows, next: cells.length > limit ? rows.at(-1)?.id : undefined };
}

function conditionsOf(query: DecisionQuery): readonly (readonly [sql: string, value: Cell])[] {
  const { project, verdict, by, run, since, until, before } = query;
  return [
    ...(project === undefined ? [] : [['project = ?', project] as const]),
    ...(verdict === undefined ? [] : [['verdict = ?', verdict] as const]),
    ...(by === undefined ? [] : [['decided_by = ?', by] as const]),
    ...(run === undefined ? [] : [['run = ?', run] as const]),
    ...(since === undefined ? [] : [['id >= ?', decisionId(since, '')] as const]),
    ...(until === undefined ? [] : [['id < ?', decisionId(until, '')] as const]),
    ...(before === undefined ? [] : [['id < ?', before] as const]),
  ];
}

/** Whether a decision matches the query, for a store that filters by itself. */
export function isAskedFor(decision: ToolDecision, query: DecisionQuery): boolean {
  const { project, verdict, by, run, since, until, before } = query;
  if (project !== undefined && decision.project !== project) return false;
  if (verdict !== undefined && decision.verdict !== verdict) return false;
  if (by !== undefined && decision.by !== by) return false;
  if (run !== undefined && decision.run !== run) return false;
  if (since !== undefined && decision.id < decisionId(since, '')) return false;
  if (until !== undefined && decision.id >= decisionId(until, '')) return false;
  return before === undefined || decision.id < before;
}
