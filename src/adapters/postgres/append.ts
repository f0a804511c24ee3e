import {
  type Group,
  GroupRefused,
  type Head,
  LeadershipLost,
  StoreFull,
} from '../../ports/store.ts';
import { seal } from '../sql/chain.ts';
import { faultInGroup } from '../sql/check-group.ts';
import { createAppendStatement } from './append-statement.ts';
import type { Connection, Statement } from './connection.ts';
import { faultOf, isDiskFull, messageOf } from './fault.ts';
import { sectionsOf } from './group-sections.ts';
import { type HeadRow, lockHead } from './head-row.ts';
import type { LastSeenHead } from './last-seen-head.ts';
import type { Writer } from './writer.ts';

interface Needs {
  readonly writer: Writer;
  readonly lastSeen: LastSeenHead;
}

/** A group being written. It may be sent several times until its outcome is known. */
interface Attempt {
  readonly group: Group;
  readonly statement: (appendNumber: number) => Statement;
  /** The end of the log once the group is written. */
  readonly head: Head;
  /** The append number it requires; unknown to a node that has not written in this epoch. */
  appendNumber: number | undefined;
  isSent: boolean;
}

export function createAppend({ writer, lastSeen }: Needs): (group: Group) => Promise<Head> {
  const statementFor = createAppendStatement();
  return async (group) => {
    const fault = faultInGroup(group);
    if (fault) throw new GroupRefused(`the group was not written: ${fault}`);
    const { sealed, head } = seal(group.after, group.events);
    const sections = sectionsOf(group, sealed);
    const attempt: Attempt = {
      group,
      statement: (appendNumber) =>
        statementFor({ epoch: group.epoch, appendNumber, from: group.after, to: head }, sections),
      head,
      appendNumber: undefined,
      isSent: false,
    };
    return writer.persist(`write events up to ${head.seq}`, async (connection) => {
      const { term } = lastSeen;
      if (term?.epoch === group.epoch) attempt.appendNumber ??= term.appendNumber;
      const appendNumber = await write(connection, attempt);
      lastSeen.saw(head);
      lastSeen.recordTerm(group.epoch, appendNumber + 1);
      return head;
    });
  };
}

/** Returns the head's number when the group was written, by this attempt or an earlier one. */
async function write(connection: Connection, attempt: Attempt): Promise<number> {
  let outcome = await outcomeSoFar(connection, attempt);
  if (outcome.isWritten) return outcome.appendNumber;

  attempt.isSent = true;
  const { matched, warned } = await send(connection, attempt, outcome.appendNumber);
  if (matched && !warned) return outcome.appendNumber;

  outcome = await findOutcome(connection, attempt, outcome.appendNumber);
  if (outcome.isWritten) return outcome.appendNumber;
  throw leadershipLost(attempt.group, 'the log does not end where the group begins');
}

interface AppendOutcome {
  readonly appendNumber: number;
  readonly isWritten: boolean;
}

/** A leader whose last append was answered needs only one round trip. */
async function outcomeSoFar(connection: Connection, attempt: Attempt): Promise<AppendOutcome> {
  const { appendNumber } = attempt;
  if (appendNumber === undefined) return findAppendNumber(connection, attempt);
  if (!attempt.isSent) return { appendNumber, isWritten: false };
  return findOutcome(connection, attempt, appendNumber);
}

async function findAppendNumber(connection: Connection, attempt: Attempt): Promise<AppendOutcome> {
  const { epoch, after } = attempt.group;
  const row = await lockHead(connection, attempt.head.seq);
  if (row.epoch !== epoch) throw leadershipLost(attempt.group, `epoch ${row.epoch} has begun`);
  if (row.seq !== after.seq || row.link !== after.link) {
    throw leadershipLost(attempt.group, `the log ends at event ${row.seq}`);
  }
  attempt.appendNumber = row.appendNumber;
  return { appendNumber: row.appendNumber, isWritten: false };
}

/**
 * If the server refuses, it does so before it writes. If the connection breaks instead, that error
 * propagates, and we look for the group before sending it again.
 */
async function send(connection: Connection, { statement }: Attempt, appendNumber: number) {
  try {
    const { rows, warned } = await connection.query(statement(appendNumber));
    return { matched: rows.length === 1, warned };
  } catch (error) {
    if (isDiskFull(error)) {
      throw new StoreFull(`the database has no space: ${messageOf(error)}`, { cause: error });
    }
    if (faultOf(error) !== 'refused') throw error;
    throw new GroupRefused(`the database refused the group: ${messageOf(error)}`, { cause: error });
  }
}

/** Finds the outcome of a group that was sent, or throws `LeadershipLost` when it can never be written. */
async function findOutcome(
  connection: Connection,
  attempt: Attempt,
  appendNumber: number,
): Promise<AppendOutcome> {
  const { group, head } = attempt;
  const row = await lockHead(connection, head.seq);
  if (row.epoch !== group.epoch) {
    if (await wasLastWrite(connection, attempt, appendNumber, row))
      return { appendNumber, isWritten: true };
    throw leadershipLost(group, `epoch ${row.epoch} has begun`);
  }
  if (row.appendNumber === appendNumber) return { appendNumber, isWritten: false };
  if (row.appendNumber === appendNumber + 1 && row.link === head.link)
    return { appendNumber, isWritten: true };
  throw leadershipLost(group, `another writer of the same epoch wrote event ${row.seq}`);
}

/** Only this node wrote in its epoch, so if another append followed in its term it was this group. */
async function wasLastWrite(
  connection: Connection,
  { group, head }: Attempt,
  appendNumber: number,
  { linkThere }: HeadRow,
): Promise<boolean> {
  if (group.events.length > 0) return linkThere === head.link;
  const { rows } = await connection.query({ text: NEXT_TERM, values: [group.epoch] });
  return Number(rows[0]?.[0]) > appendNumber;
}

const NEXT_TERM = 'SELECT append_number FROM leader_term WHERE epoch > $1 ORDER BY epoch LIMIT 1';

function leadershipLost({ epoch, after }: Group, because: string): LeadershipLost {
  return new LeadershipLost(
    `nothing was written after event ${after.seq} in epoch ${epoch}: ${because}`,
  );
}
