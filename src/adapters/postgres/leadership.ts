import { randomUUID } from 'node:crypto';
import type { Leader, Leadership } from '../../ports/leadership.ts';
import type { Connection } from './connection.ts';
import { NotReady } from './fault.ts';
import { AT_HEAD, type HeadRow, readHead } from './head-row.ts';
import { lineageChanged } from './lineage.ts';
import { CHANNEL, type Listener } from './listener.ts';
import type { Witness } from './witness.ts';
import type { Writer } from './writer.ts';

interface Needs {
  readonly writer: Writer;
  readonly witness: Witness;
  readonly listener: Listener;
}

/** Nobody leads while the url is empty. */
const NOBODY = '';

/** The head as it is changed, the reign that begins with it, and the word to all nodes, in one go. */
function beginReign(change: string, condition: string): string {
  return `WITH moved AS (
    UPDATE head SET epoch = epoch + 1, beat = beat + 1, ${change}
    WHERE ${AT_HEAD} AND ${condition}
    RETURNING epoch, turn, seq, url
  ), begun AS (
    INSERT INTO reign (epoch, url, holder, turn, seq) SELECT epoch, url, $2, turn, seq FROM moved
  )
  SELECT epoch, turn, pg_notify('${CHANNEL}', '') FROM moved`;
}

const TAKE_OVER = beginReign('url = $3', 'epoch = $1 AND beat = $4 AND lineage = $5');
const STEP_DOWN = beginReign('url = $3', 'epoch = $1');
const ACCEPT = beginReign('url = $3, lineage = $1', 'lineage <> $1');
const BEAT = `UPDATE head SET beat = beat + 1 WHERE ${AT_HEAD} AND epoch = $1 RETURNING beat`;
const REIGN = 'SELECT holder, turn FROM reign WHERE epoch = $1';

export interface PostgresLeadership extends Leadership {
  /** Goes on with the database as it is, in an epoch that no node has written in. */
  acceptLineage(): Promise<void>;
}

export function createLeadership({ writer, witness, listener }: Needs): PostgresLeadership {
  async function look(connection: Connection): Promise<HeadRow> {
    const before = witness.seen;
    const row = await readHead(connection, before.seq);
    witness.compare(row, before);
    witness.saw(row);
    return row;
  }

  /** An append that arrived late may have moved the row away under a statement; that proves nothing. */
  async function hasEnded(connection: Connection, epoch: number): Promise<false> {
    const head = await look(connection);
    if (head.epoch === epoch) throw new NotReady('the log moved at the same moment');
    return false;
  }

  /** Whether an earlier beginning of the same take-over went through, should its answer be lost. */
  async function wonBy(connection: Connection, epoch: number, holder: string): Promise<boolean> {
    const { rows } = await connection.ask({ text: REIGN, values: [epoch] });
    const [row] = rows;
    if (row?.[0] !== holder) return false;
    witness.reigns(epoch, row[1] as number);
    return true;
  }

  async function takeOver(connection: Connection, seen: Leader, url: string, holder: string) {
    const values = [seen.epoch, holder, url, seen.beat, writer.lineage];
    const { rows } = await connection.ask({ text: TAKE_OVER, values });
    const [row] = rows;
    if (row) {
      witness.reigns(row[0] as number, row[1] as number);
      return row[0] as number;
    }
    if (await wonBy(connection, seen.epoch + 1, holder)) return seen.epoch + 1;
    const head = await look(connection);
    const isAsSeen = head.epoch === seen.epoch && head.beat === seen.beat;
    if (isAsSeen && head.lineage !== writer.lineage) {
      throw lineageChanged(head.lineage, writer.lineage);
    }
    return undefined;
  }

  return {
    async look() {
      const { epoch, beat, url, seq } = await writer.persist('see who leads', look);
      return { epoch, beat, url, seq };
    },
    takeOver(seen, url) {
      const holder = randomUUID();
      return writer.persist('take over', (connection) => takeOver(connection, seen, url, holder));
    },
    beat: (epoch) =>
      writer.persist('beat', async (connection) => {
        const { rows } = await connection.ask({ name: 'beat', text: BEAT, values: [epoch] });
        return rows.length === 1 || hasEnded(connection, epoch);
      }),
    async stepDown(epoch) {
      const values = [epoch, randomUUID(), NOBODY];
      await writer.persist('step down', async (connection) => {
        const { rows } = await connection.ask({ text: STEP_DOWN, values });
        if (rows.length === 0) await hasEnded(connection, epoch);
      });
    },
    async acceptLineage() {
      await writer.persist('accept the database as it is', (connection) =>
        connection.ask({ text: ACCEPT, values: [writer.lineage, randomUUID(), NOBODY] }),
      );
    },
    onMove: (wake) => listener.onMove(wake),
  };
}
