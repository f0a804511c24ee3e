import type { TaskId } from '../../domain/ids.ts';
import type { Row } from '../../domain/row.ts';
import { type Group, GroupRefused, type Head, LeadershipLost, NO_HEAD } from '../../ports/store.ts';
import { seal } from '../sql/chain.ts';
import { faultInGroup } from '../sql/check-group.ts';
import { faultInRow } from '../sql/check-row.ts';
import { decisionCells } from '../sql/decision-records.ts';
import type { Cell } from '../sql/dialect.ts';
import { subjectsOf } from '../sql/event-subjects.ts';
import { heartbeatCells } from '../sql/run-columns.ts';
import { storable } from '../sql/stored-text.ts';
import { insertInto, upsertInto } from '../sql/tables.ts';
import type { Connection } from './connection.ts';
import { FIND_BY_TASK, MARK_FOLDED } from './fold-mark.ts';
import { PendingRows } from './pending-rows.ts';
import { createRowWriter, type Prepare, type RowWithCells, withCells } from './put-row.ts';
import type { InTransaction } from './transaction.ts';

interface Appending {
  append(group: Group): Head;
  /** Brings the tables up to the end of the log. */
  flush(): void;
  readonly pending: PendingRows;
}

/**
 * Writes a group in one transaction, whose last step is the only disk sync. The events must not be
 * lost; the rows that follow from them are written together with those of later groups. Every statement
 * is prepared once and bound by position.
 */
export function createAppend(
  db: Connection,
  inTransaction: InTransaction,
  isTight: () => boolean,
): Appending {
  const pending = new PendingRows();
  const writeRows = createRowsWriter(db);
  const writeEvents = createEventWriter(db, pending);

  /** Leaves no rows for later: there may be no space to write them, and then no table could be read. */
  function appendAll(attempted: string, group: Group, rows: readonly RowWithCells[]): Head {
    const all = pending.copy();
    all.add(rows, group.heartbeats, performance.now());
    const head = inTransaction(attempted, () => {
      const written = writeEvents(group);
      writeRows(all);
      return written;
    });
    pending.clear();
    return head;
  }

  return {
    pending,
    append(group) {
      const rows = group.rows.map(withCells);
      const fault = faultInGroup(group) ?? faultInRows(rows, group.after);
      if (fault) throw new GroupRefused(`the group was not written: ${fault}`);
      const attempted = `write events after ${group.after.seq}`;
      if (isTight()) return appendAll(attempted, group, rows);
      const isDue = pending.isDue(performance.now());
      const head = inTransaction(attempted, () => {
        if (isDue) writeRows(pending);
        return writeEvents(group);
      });
      if (isDue) pending.clear();
      pending.add(rows, group.heartbeats, performance.now());
      return head;
    },
    flush() {
      if (pending.isEmpty) return;
      inTransaction('fold events into the tables', () => writeRows(pending));
      pending.clear();
    },
  };
}

/** Faults that the database would report only when it is too late to refuse the rows. */
function faultInRows(rows: readonly RowWithCells[], after: Head): string | undefined {
  for (const { row, cells } of rows) {
    const fault = faultInRow(row, cells) ?? (isUntitled(row, after) ? untitled(row) : undefined);
    if (fault) return fault;
  }
  return undefined;
}

/** Events number threads and tasks, so a number past the end of the log is a new one. */
function isUntitled(row: Row, { seq }: Head): boolean {
  if (row.table !== 'task' && row.table !== 'thread') return false;
  return row.key > seq && row.text?.title === undefined;
}

function untitled({ table, key }: Row): string {
  return `${table} ${key} has no title`;
}

function createRowsWriter(db: Connection): (pending: PendingRows) => void {
  const statement: Prepare = (sql) => db.prepare<Cell[], unknown>(sql);
  const end = db.prepare<[], number>(END_OF_LOG).pluck();
  const heartbeat = statement(upsertInto('heartbeat'));
  const findByTask = statement(FIND_BY_TASK);
  const folded = statement(MARK_FOLDED);
  const put = createRowWriter(statement);
  return (pending) => {
    for (const placedRow of pending.rows()) put(placedRow);
    for (const each of pending.heartbeats()) heartbeat.run(...heartbeatCells(each));
    const seq = end.get() ?? 0;
    findByTask.run(seq);
    folded.run(String(seq));
  };
}

const END_OF_LOG = 'SELECT seq FROM event ORDER BY seq DESC LIMIT 1';

function createEventWriter(db: Connection, pending: PendingRows): (group: Group) => Head {
  const statement: Prepare = (sql) => db.prepare<Cell[], unknown>(sql);
  const last = db.prepare<[], readonly [number, string]>(
    'SELECT seq, link FROM event ORDER BY seq DESC LIMIT 1',
  );
  const project = db.prepare<[number], string>('SELECT project FROM task WHERE id = ?').pluck();
  const event = statement(insertInto('event'));
  const response = statement(upsertInto('idempotency_key'));
  const entry = statement(insertInto('run_log'));
  const decision = statement(insertInto('tool_decision'));
  const writeSecrets = createSecretWriter(statement);
  last.raw();

  return (group) => {
    const stored = last.get();
    refuseUnlessAt(stored ? { seq: stored[0], link: stored[1] } : NO_HEAD, group);
    const { sealed, head } = seal(group.after, group.events);
    const subjects = subjectsOf(
      group,
      (id: TaskId) => pending.task(id)?.row.project ?? project.get(id) ?? null,
    );
    for (const [n, { seq, at, actor, cause, type, body, hash, link }] of sealed.entries()) {
      const about = subjects[n] ?? NOTHING;
      event.run(seq, at, actor, cause, type, about.project, about.task, body, hash, link);
    }
    for (const { key, request, status, body, at } of group.responses) {
      response.run(key, request, status, storable(body), at);
    }
    for (const { run, n, at, text } of group.log) entry.run(run, n, at, storable(text));
    for (const each of group.decisions) decision.run(...decisionCells(each));
    writeSecrets(group.secrets);
    return head;
  };
}

/** With the events, not with the rows that follow from them: no event has the value. */
function createSecretWriter(prepare: Prepare): (secrets: Group['secrets']) => void {
  const put = prepare(upsertInto('secret_value'));
  const drop = prepare('DELETE FROM secret_value WHERE name = ?');
  return (secrets) => {
    for (const { name, value } of secrets) {
      if (value === null) drop.run(name);
      else put.run(name, value.sealed, value.previous);
    }
  };
}

const NOTHING = { project: null, task: null };

function refuseUnlessAt(head: Head, { after, epoch }: Group): void {
  if (epoch !== 0)
    throw new LeadershipLost(`epoch ${epoch} is unknown: this store has only one writer`);
  if (after.seq === head.seq && after.link === head.link) return;
  throw new LeadershipLost(
    `the log ends at event ${head.seq}, not at event ${after.seq} as the group says`,
  );
}
