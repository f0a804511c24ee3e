import { refuseNewer } from '../sql/schema-version.ts';
import type { Connection } from './connection.ts';
import { faultOf } from './fault.ts';
import { AT_HEAD, readHead, SCHEMA_VERSION } from './head-row.ts';
import type { LastSeenHead } from './last-seen-head.ts';
import { ensureDurability } from './lineage.ts';
import { createSession, type Session } from './session.ts';
import type { Needs } from './settings.ts';

/** A node's one connection for changes to the log and the leadership. */
export interface Writer extends Session {
  /** Server and timeline of the current connection. */
  readonly lineage: string;
}

export function createWriter(needs: Needs, lastSeen: LastSeenHead): Writer {
  let lineage = '';

  async function prepare(connection: Connection): Promise<void> {
    const before = lastSeen.seen;
    lineage = await ensureDurability(connection);
    const head = await readHead(connection, before.seq);
    lastSeen.compare(head, before);
    if (head.lineage === lineage || head.epoch !== lastSeen.term?.epoch) return;

    // The leader has seen everything ever answered, and has just found all of it there.
    needs.log.warn('database failed over without loss', {
      from: head.lineage,
      to: lineage,
    });
    await connection.query({ text: RECORD_LINEAGE, values: [lineage, head.epoch] });
  }

  const session = createSession(needs, (connection) =>
    noticeNewerSchema(connection, () => prepare(connection)),
  );
  return {
    ...session,
    persist: (purpose, work, within) =>
      session.persist(
        purpose,
        (connection) => noticeNewerSchema(connection, () => work(connection)),
        within,
      ),
    get lineage() {
      return lineage;
    },
  };
}

/** A statement that does not fit the tables was written for those before a migration. */
async function noticeNewerSchema<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (faultOf(error) !== 'refused') throw error;
    const { rows } = await connection.query({ text: SCHEMA_VERSION });
    refuseNewer(Number(rows[0]?.[0]));
    throw error;
  }
}

const RECORD_LINEAGE = `UPDATE head SET lineage = $1 WHERE ${AT_HEAD} AND epoch = $2`;
