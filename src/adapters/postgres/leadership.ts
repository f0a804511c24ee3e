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
  SELECT turn, pg_notify('${CHANNEL}', '') FROM moved`;
}

const TAKE_OVER = beginReign('url = $3', 'epoch = $1 AND beat = $4 AND lineage = $5');
const STEP_DOWN = beginReign('url = $3', 'epoch = $1');
const ACCEPT = beginReign('url = $3, lineage = $1', 'lineage <> $1');
const BEAT = `UPDATE head SET beat = beat + 1 WHERE ${AT_HEAD} AND epoch = $1 RETURNING beat`;
const REIGN = 'SELECT turn FROM reign WHERE epoch = $1 AND holder = $2';

/** Who leads, by the head row. Whatever changes it goes through the one connection that also appends. */
export class PostgresLeadership implements Leadership {
  readonly #writer: Writer;
  readonly #witness: Witness;
  readonly #listener: Listener;

  constructor({ writer, witness, listener }: Needs) {
    this.#writer = writer;
    this.#witness = witness;
    this.#listener = listener;
  }

  async look(): Promise<Leader> {
    const look = (connection: Connection) => this.#look(connection);
    const { epoch, beat, url, seq } = await this.#writer.persist('see who leads', look);
    return { epoch, beat, url, seq };
  }

  takeOver(seen: Leader, url: string): Promise<number | undefined> {
    const holder = randomUUID();
    return this.#writer.persist('take over', async (connection) => {
      const values = [seen.epoch, holder, url, seen.beat, this.#writer.lineage];
      const { rows } = await connection.ask({ text: TAKE_OVER, values });
      const turn = rows[0]?.[0] ?? (await turnOfReign(connection, seen.epoch + 1, holder));
      if (turn === undefined) return this.#notTaken(connection, seen);
      this.#witness.reigns(seen.epoch + 1, Number(turn));
      return seen.epoch + 1;
    });
  }

  beat(epoch: number): Promise<boolean> {
    return this.#writer.persist('beat', async (connection) => {
      const { rows } = await connection.ask({ name: 'beat', text: BEAT, values: [epoch] });
      if (rows.length === 0) await this.#mustHaveEnded(connection, epoch);
      return rows.length === 1;
    });
  }

  async stepDown(epoch: number): Promise<void> {
    const values = [epoch, randomUUID(), NOBODY];
    await this.#writer.persist('step down', async (connection) => {
      const { rows } = await connection.ask({ text: STEP_DOWN, values });
      if (rows.length === 0) await this.#mustHaveEnded(connection, epoch);
    });
  }

  /** Goes on with a database that was failed over or restored, in an epoch that no node has written in. */
  async acceptLineage(): Promise<void> {
    await this.#writer.persist('accept the database as it is', (connection) =>
      connection.ask({ text: ACCEPT, values: [this.#writer.lineage, randomUUID(), NOBODY] }),
    );
  }

  onMove(wake: () => void): { stop(): void } {
    return this.#listener.onMove(wake);
  }

  async #look(connection: Connection): Promise<HeadRow> {
    const before = this.#witness.seen;
    const row = await readHead(connection, before.seq);
    this.#witness.compare(row, before);
    this.#witness.saw(row);
    return row;
  }

  async #notTaken(connection: Connection, seen: Leader): Promise<undefined> {
    const { epoch, beat, lineage } = await this.#look(connection);
    const isAsSeen = epoch === seen.epoch && beat === seen.beat;
    if (isAsSeen && lineage !== this.#writer.lineage) {
      throw lineageChanged(lineage, this.#writer.lineage);
    }
  }

  /** An append that arrived late may have moved the row away under a statement; that proves nothing. */
  async #mustHaveEnded(connection: Connection, epoch: number): Promise<void> {
    const head = await this.#look(connection);
    if (head.epoch === epoch) throw new NotReady('the log moved at the same moment');
  }
}

/** Known when an earlier beginning of the same take-over went through and its answer was lost. */
async function turnOfReign(
  connection: Connection,
  epoch: number,
  holder: string,
): Promise<number | undefined> {
  const { rows } = await connection.ask({ text: REIGN, values: [epoch, holder] });
  return rows[0]?.[0] as number | undefined;
}
