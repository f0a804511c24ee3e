import type { Connection } from './connection.ts';
import { AT_HEAD, readHead } from './head-row.ts';
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

  const session = createSession(needs, prepare);
  return {
    ...session,
    get lineage() {
      return lineage;
    },
  };
}

const RECORD_LINEAGE = `UPDATE head SET lineage = $1 WHERE ${AT_HEAD} AND epoch = $2`;
