import { Deposed, type Group, GroupRefused, type Head } from '../../ports/store.ts';
import { seal } from '../sql/chain.ts';
import { faultInGroup } from '../sql/check-group.ts';
import { createAppendStatement } from './append-statement.ts';
import type { Connection, Statement } from './connection.ts';
import { faultOf, wordsOf } from './fault.ts';
import { sectionsOf } from './group-sections.ts';
import { type HeadRow, lockHead } from './head-row.ts';
import type { Witness } from './witness.ts';
import type { Writer } from './writer.ts';

interface Needs {
  readonly writer: Writer;
  readonly witness: Witness;
}

/** A group on its way, which may have to be sent several times until it is known what became of it. */
interface Attempt {
  readonly group: Group;
  readonly statement: (turn: number) => Statement;
  /** Where the log ends when it is written. */
  readonly head: Head;
  /** The turn it has to find; unknown to a node that has not written in this epoch. */
  turn: number | undefined;
  isSent: boolean;
}

export function createAppend({ writer, witness }: Needs): (group: Group) => Promise<Head> {
  const statementFor = createAppendStatement();
  return async (group) => {
    const fault = faultInGroup(group);
    if (fault) throw new GroupRefused(`the group was not written: ${fault}`);
    const { sealed, head } = seal(group.after, group.events);
    const sections = sectionsOf(group, sealed);
    const attempt: Attempt = {
      group,
      statement: (turn) =>
        statementFor({ epoch: group.epoch, turn, from: group.after, to: head }, sections),
      head,
      turn: undefined,
      isSent: false,
    };
    return writer.persist(`write events up to ${head.seq}`, async (connection) => {
      const { reign } = witness;
      if (reign?.epoch === group.epoch) attempt.turn ??= reign.turn;
      const turn = await write(connection, attempt);
      witness.saw(head);
      witness.reigns(group.epoch, turn + 1);
      return head;
    });
  };
}

/** Answers with the turn in which the group was written, now or by an earlier beginning of this. */
async function write(connection: Connection, attempt: Attempt): Promise<number> {
  let place = await placeOf(connection, attempt);
  if (place.isWritten) return place.turn;

  attempt.isSent = true;
  const { matched, warned } = await send(connection, attempt, place.turn);
  if (matched && !warned) return place.turn;

  place = await lookFor(connection, attempt, place.turn);
  if (place.isWritten) return place.turn;
  throw deposed(attempt.group, 'the log does not end where the group begins');
}

interface Place {
  readonly turn: number;
  readonly isWritten: boolean;
}

/** One round trip is enough for a leader whose last append was answered. */
async function placeOf(connection: Connection, attempt: Attempt): Promise<Place> {
  const { turn } = attempt;
  if (turn === undefined) return findTurn(connection, attempt);
  if (!attempt.isSent) return { turn, isWritten: false };
  return lookFor(connection, attempt, turn);
}

async function findTurn(connection: Connection, attempt: Attempt): Promise<Place> {
  const { epoch, after } = attempt.group;
  const row = await lockHead(connection, attempt.head.seq);
  if (row.epoch !== epoch) throw deposed(attempt.group, `epoch ${row.epoch} has begun`);
  if (row.seq !== after.seq || row.link !== after.link) {
    throw deposed(attempt.group, `the log ends at event ${row.seq}`);
  }
  attempt.turn = row.turn;
  return { turn: row.turn, isWritten: false };
}

/**
 * The server refuses before it writes, and then says so. When the connection breaks instead, that
 * error travels on, and this group is looked for before it is sent again.
 */
async function send(connection: Connection, { statement }: Attempt, turn: number) {
  try {
    const { rows, warned } = await connection.ask(statement(turn));
    return { matched: rows.length === 1, warned };
  } catch (error) {
    if (faultOf(error) !== 'refused') throw error;
    throw new GroupRefused(`the database refused the group: ${wordsOf(error)}`, { cause: error });
  }
}

/** Finds out what became of a group that was sent, or throws `Deposed` when it can never be written. */
async function lookFor(connection: Connection, attempt: Attempt, turn: number): Promise<Place> {
  const { group, head } = attempt;
  const row = await lockHead(connection, head.seq);
  if (row.epoch !== group.epoch) {
    if (await wasLastWord(connection, attempt, turn, row)) return { turn, isWritten: true };
    throw deposed(group, `epoch ${row.epoch} has begun`);
  }
  if (row.turn === turn) return { turn, isWritten: false };
  if (row.turn === turn + 1 && row.link === head.link) return { turn, isWritten: true };
  throw deposed(group, `another writer of the same epoch wrote event ${row.seq}`);
}

/** Nobody but this node wrote in its epoch, so whatever was written in its last turn was this group. */
async function wasLastWord(
  connection: Connection,
  { group, head }: Attempt,
  turn: number,
  { linkThere }: HeadRow,
): Promise<boolean> {
  if (group.events.length > 0) return linkThere === head.link;
  const { rows } = await connection.ask({ text: REIGN_AFTER, values: [group.epoch] });
  return Number(rows[0]?.[0]) > turn;
}

const REIGN_AFTER = 'SELECT turn FROM reign WHERE epoch > $1 ORDER BY epoch LIMIT 1';

function deposed({ epoch, after }: Group, because: string): Deposed {
  return new Deposed(`nothing was written after event ${after.seq} in epoch ${epoch}: ${because}`);
}
