import { randomUUID } from 'node:crypto';
import type { Leader, Leadership } from '../../ports/leadership.ts';
import type { Connection } from './connection.ts';
import { NotReady } from './fault.ts';
import { AT_HEAD, type HeadRow, readHead } from './head-row.ts';
import type { LastSeenHead } from './last-seen-head.ts';
import { lineageChanged } from './lineage.ts';
import { CHANNEL, type Listener } from './listener.ts';
import type { Writer } from './writer.ts';

interface Needs {
  readonly writer: Writer;
  readonly lastSeen: LastSeenHead;
  readonly listener: Listener;
}

/** An empty url means no leader. */
export const NO_HOLDER = '';

/** Changes the head, records the term that begins with it and notifies all nodes, in one statement. */
function recordTerm(change: string, condition: string): string {
  return `WITH moved AS (
    UPDATE head SET epoch = epoch + 1, heartbeat = heartbeat + 1, ${change}
    WHERE ${AT_HEAD} AND ${condition}
    RETURNING epoch, append_number, seq, url
  ), begun AS (
    INSERT INTO leader_term (epoch, url, holder, append_number, seq)
    SELECT epoch, url, $2, append_number, seq FROM moved
  )
  SELECT append_number, pg_notify('${CHANNEL}', '') FROM moved`;
}

const TAKE_OVER = recordTerm('url = $3', 'epoch = $1 AND heartbeat = $4 AND lineage = $5');
const STEP_DOWN = recordTerm('url = $3', 'epoch = $1');
const ACCEPT = recordTerm('url = $3, lineage = $1', 'lineage <> $1');
/** Ends the current term, so no earlier node can write. Values: no url, and what ended the term. */
export const END_TERM = recordTerm('url = $1', 'true');
const HEARTBEAT = `UPDATE head SET heartbeat = heartbeat + 1 WHERE ${AT_HEAD} AND epoch = $1 RETURNING heartbeat`;
const TERM = 'SELECT append_number FROM leader_term WHERE epoch = $1 AND holder = $2';

/** Leadership by the head row. All changes use the one connection that also appends. */
export class PostgresLeadership implements Leadership {
  readonly #writer: Writer;
  readonly #lastSeen: LastSeenHead;
  readonly #listener: Listener;

  constructor({ writer, lastSeen, listener }: Needs) {
    this.#writer = writer;
    this.#lastSeen = lastSeen;
    this.#listener = listener;
  }

  async look(): Promise<Leader> {
    const look = (connection: Connection) => this.#look(connection);
    const { epoch, heartbeat, url, seq } = await this.#writer.persist('read who leads', look);
    return { epoch, heartbeat, url, seq };
  }

  takeOver(seen: Leader, url: string): Promise<number | undefined> {
    const holder = randomUUID();
    return this.#writer.persist('take over', async (connection) => {
      const values = [seen.epoch, holder, url, seen.heartbeat, this.#writer.lineage];
      const { rows } = await connection.query({ text: TAKE_OVER, values });
      const appendNumber =
        rows[0]?.[0] ?? (await appendNumberOfTerm(connection, seen.epoch + 1, holder));
      if (appendNumber === undefined) return this.#notTaken(connection, seen);
      this.#lastSeen.recordTerm(seen.epoch + 1, Number(appendNumber));
      return seen.epoch + 1;
    });
  }

  heartbeat(epoch: number): Promise<boolean> {
    return this.#writer.persist('send a heartbeat', async (connection) => {
      const { rows } = await connection.query({
        name: 'heartbeat',
        text: HEARTBEAT,
        values: [epoch],
      });
      if (rows.length === 0) await this.#mustHaveEnded(connection, epoch);
      return rows.length === 1;
    });
  }

  async stepDown(epoch: number): Promise<void> {
    const values = [epoch, randomUUID(), NO_HOLDER];
    await this.#writer.persist('step down', async (connection) => {
      const { rows } = await connection.query({ text: STEP_DOWN, values });
      if (rows.length === 0) await this.#mustHaveEnded(connection, epoch);
    });
  }

  /** Continues with a database that was failed over or restored, in an epoch that no node has written in. */
  async acceptLineage(): Promise<void> {
    await this.#writer.persist('accept the state of the database', (connection) =>
      connection.query({ text: ACCEPT, values: [this.#writer.lineage, randomUUID(), NO_HOLDER] }),
    );
  }

  onMove(wake: () => void): { stop(): void } {
    return this.#listener.onMove(wake);
  }

  async #look(connection: Connection): Promise<HeadRow> {
    const before = this.#lastSeen.seen;
    const row = await readHead(connection, before.seq);
    this.#lastSeen.compare(row, before);
    this.#lastSeen.saw(row);
    return row;
  }

  async #notTaken(connection: Connection, seen: Leader): Promise<undefined> {
    const { epoch, heartbeat, lineage } = await this.#look(connection);
    const isAsSeen = epoch === seen.epoch && heartbeat === seen.heartbeat;
    if (isAsSeen && lineage !== this.#writer.lineage) {
      throw lineageChanged(lineage, this.#writer.lineage);
    }
  }

  /** A late append may have moved the row during the statement; that proves nothing. */
  async #mustHaveEnded(connection: Connection, epoch: number): Promise<void> {
    const head = await this.#look(connection);
    if (head.epoch === epoch) throw new NotReady('the log moved at the same moment');
  }
}

/** Known when an earlier attempt at the same takeover succeeded and its answer was lost. */
async function appendNumberOfTerm(
  connection: Connection,
  epoch: number,
  holder: string,
): Promise<number | undefined> {
  const { rows } = await connection.query({ text: TERM, values: [epoch, holder] });
  return rows[0]?.[0] as number | undefined;
}
