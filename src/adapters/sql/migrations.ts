import type { Dialect } from './dialect.ts';
import { createIndex, statementsFor, TABLES, type TableName, type TableShape } from './tables.ts';

export type Step = (dialect: Dialect) => readonly string[];

/** As created in version 2. A step creates the tables of its version, whatever their present names. */
const DECISION: TableShape = {
  name: 'decision',
  columns: [
    { name: 'id', kind: 'word', optional: false },
    { name: 'at', kind: 'number', optional: false },
    { name: 'run', kind: 'number', optional: false },
    { name: 'task', kind: 'number', optional: false },
    { name: 'project', kind: 'word', optional: false },
    { name: 'verdict', kind: 'word', optional: false },
    { name: 'decided_by', kind: 'word', optional: false },
    { name: 'facts', kind: 'text', optional: false },
  ],
  key: ['id'],
  indexes: [
    { name: 'decision_of_project', columns: ['project', 'id'] },
    { name: 'decision_of_run', columns: ['run', 'id'] },
    { name: 'decision_by', columns: ['decided_by', 'verdict', 'id'] },
  ],
};

/** Version 2 adds tool decisions. */
export const addDecisions: Step = (dialect) => statementsFor(dialect, DECISION);

const TABLES_RENAMED: readonly (readonly [from: string, to: TableName])[] = [
  ['kept', 'settings'],
  ['pulse', 'heartbeat'],
  ['answer', 'idempotency_key'],
  ['log', 'run_log'],
  ['decision', 'tool_decision'],
];

const INDEXES_RENAMED: readonly (readonly [table: TableName, from: string, to: string])[] = [
  ['task', 'task_ended_badly', 'task_unsuccessful'],
  ['worker', 'worker_here', 'worker_active'],
  ['idempotency_key', 'answer_by_age', 'idempotency_key_by_age'],
  ['tool_decision', 'decision_of_project', 'tool_decision_of_project'],
  ['tool_decision', 'decision_of_run', 'tool_decision_of_run'],
  ['tool_decision', 'decision_by', 'tool_decision_by'],
];

/** Fields inside the JSON columns. */
const FACTS_RENAMED: readonly (readonly [table: TableName, from: string, to: string])[] = [
  ['task', 'waited', 'labelWaitExpired'],
  ['thread', 'after', 'dependsOn'],
  ['thread', 'waits', 'blockedBy'],
  ['thread', 'mergeAsked', 'mergeRequestedBy'],
  ['run', 'awaitsSince', 'awaitingApprovalSince'],
  ['worker', 'gone', 'deregistered'],
];

/** Version 3 gives tables, columns and fields the names that users of queues expect. */
export const useCommonNames: Step = (dialect) => [
  ...TABLES_RENAMED.flatMap(([from, to]) => dialect.renameTable(from, to)),
  'ALTER TABLE worker RENAME COLUMN gone TO deregistered',
  ...INDEXES_RENAMED.flatMap((renamed) => renameIndex(dialect, renamed)),
  ...FACTS_RENAMED.map(renameFact),
];

/** As created in version 4. */
const SECRET_VALUE: TableShape = {
  name: 'secret_value',
  columns: [
    { name: 'name', kind: 'word', optional: false },
    { name: 'sealed', kind: 'text', optional: false },
    { name: 'previous', kind: 'text', optional: true },
  ],
  key: ['name'],
  indexes: [],
};

/** Version 4 adds the values of stored secrets. */
export const addSecretValues: Step = (dialect) => statementsFor(dialect, SECRET_VALUE);

function renameIndex(
  dialect: Dialect,
  [name, from, to]: readonly [table: TableName, from: string, to: string],
): readonly string[] {
  const table = TABLES[name];
  const index = table.indexes.find((each) => each.name === to);
  if (!index) throw new Error(`${name} has no index ${to}`);
  return dialect.renameIndex(from, to, createIndex(table, index));
}

/**
 * Works on the text, because PostgreSQL cannot hold all our JSON as jsonb: it refuses an escaped NUL.
 * Only a field can read `"name":` there, as a quote inside a text is escaped.
 */
function renameFact([table, from, to]: readonly [string, string, string]): string {
  return `UPDATE ${table} SET facts = replace(facts, '"${from}":', '"${to}":')
    WHERE facts LIKE '%"${from}":%'`;
}

/** Version 4 adds the index that tasks are searched by. The hall fills it. */
export const addTaskSearch: Step = ({ search }) => search.create;
