import type { TaskId } from '../../domain/ids.ts';
import { Deposed, type Group, GroupRefused, type Head, NO_HEAD } from '../../ports/store.ts';
import { seal } from '../sql/chain.ts';
import { faultInGroup } from '../sql/check-group.ts';
import type { Cell } from '../sql/flavour.ts';
import { pulseCells } from '../sql/run-cells.ts';
import { subjectsOf } from '../sql/subject.ts';
import { insertInto, upsertInto } from '../sql/tables.ts';
import { storable } from '../sql/words.ts';
import type { Connection } from './connection.ts';
import { asStoreFault } from './fault.ts';
import { createRowWriter, type Prepare } from './put-row.ts';

/**
 * Writes a group in one transaction, of which the last step is the one sync of the disk. Every
 * statement is prepared once and bound by position.
 */
export function createAppend(db: Connection): (group: Group) => Head {
  const write = createGroupWriter(db);
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const rollback = db.prepare('ROLLBACK');

  return (group) => {
    const fault = faultInGroup(group);
    if (fault) throw new GroupRefused(`the group was not written: ${fault}`);
    const attempted = `write events after ${group.after.seq}`;
    try {
      begin.run();
      const head = write(group);
      commit.run();
      return head;
    } catch (error) {
      try {
        if (db.inTransaction) rollback.run();
      } catch (second) {
        throw asStoreFault(second, `take back what was begun to ${attempted}`);
      }
      throw error instanceof Deposed ? error : asStoreFault(error, attempted);
    }
  };
}

function createGroupWriter(db: Connection): (group: Group) => Head {
  const statement: Prepare = (sql) => db.prepare<Cell[], unknown>(sql);
  const last = db.prepare<[], readonly [number, string]>(
    'SELECT seq, link FROM event ORDER BY seq DESC LIMIT 1',
  );
  const project = db.prepare<[number], string>('SELECT project FROM task WHERE id = ?').pluck();
  const event = statement(insertInto('event'));
  const answer = statement(upsertInto('answer'));
  const entry = statement(insertInto('log'));
  const pulse = statement(upsertInto('pulse'));
  const put = createRowWriter(statement);
  last.raw();

  return (group) => {
    const there = last.get();
    refuseUnlessAt(there ? { seq: there[0], link: there[1] } : NO_HEAD, group);
    const { sealed, head } = seal(group.after, group.events);
    const subjects = subjectsOf(group, (task: TaskId) => project.get(task) ?? null);
    for (const [n, { seq, at, actor, cause, type, body, hash, link }] of sealed.entries()) {
      const about = subjects[n] ?? NOTHING;
      event.run(seq, at, actor, cause, type, about.project, about.task, body, hash, link);
    }
    for (const row of group.rows) put(row);
    for (const { key, request, status, body, at } of group.answers) {
      answer.run(key, request, status, storable(body), at);
    }
    for (const { run, n, at, text } of group.log) entry.run(run, n, at, storable(text));
    for (const each of group.pulses) pulse.run(...pulseCells(each));
    return head;
  };
}

const NOTHING = { project: null, task: null };

function refuseUnlessAt(head: Head, { after, epoch }: Group): void {
  if (epoch !== 0) throw new Deposed(`epoch ${epoch} is unknown to a store with one writer`);
  if (after.seq === head.seq && after.link === head.link) return;
  throw new Deposed(
    `the log ends at event ${head.seq}, not at event ${after.seq} as the group says`,
  );
}
