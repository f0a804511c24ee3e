import { NO_HEAD } from '../../ports/store.ts';
import { POSTGRES } from '../sql/dialect.ts';
import {
  SCHEMA,
  type Schema,
  statementsFrom,
  VERSION_KEY,
  versionOf,
} from '../sql/schema-version.ts';
import type { Connection } from './connection.ts';
import { HEAD_TABLES, RENAME_HEAD_TABLES } from './head-row.ts';
import { END_TERM, NO_HOLDER } from './leadership.ts';
import { LINEAGE, refuseStandby } from './lineage.ts';
import { createSession } from './session.ts';
import type { Needs } from './settings.ts';

/** Any number works, as long as every version of the hall uses the same one. */
const LOCK = 7_425_163;

/** An index over a large table takes long to build. */
const LONGEST_STEP = 600_000;

const FIRST_HEAD = `INSERT INTO head (epoch, heartbeat, append_number, url, seq, link, lineage)
  SELECT 0, 0, 0, '', ${NO_HEAD.seq}, '${NO_HEAD.link}', ${LINEAGE}`;

/** Changes to the tables that only PostgreSQL has, by the version that a step leads to. */
const HEAD_STEPS: Readonly<Record<number, readonly string[]>> = { 3: RENAME_HEAD_TABLES };

const POSTGRES_SCHEMA: Schema = {
  fresh: (dialect) => [...SCHEMA.fresh(dialect), ...HEAD_TABLES, FIRST_HEAD],
  steps: SCHEMA.steps.map((step, n) => (dialect) => [
    ...step(dialect),
    ...(HEAD_STEPS[n + 2] ?? []),
  ]),
};

/** Creates the tables or brings them up to date. When several nodes start at once, one does it. */
export async function migrate(needs: Needs, schema: Schema = POSTGRES_SCHEMA): Promise<void> {
  const session = createSession(needs, refuseStandby);
  try {
    await session.persist(
      'migrate the tables',
      (connection) => migrateOnce(connection, schema),
      needs.timeouts.open,
    );
  } finally {
    await session.close();
  }
}

/**
 * Runs in one transaction: a hall killed midway leaves the tables as they were. A node of the older
 * version may lead meanwhile. Its epoch ends with the same commit, so none of its appends finds the
 * head it expects, even where its statements still fit the tables.
 */
async function migrateOnce(connection: Connection, schema: Schema): Promise<void> {
  await connection.query({ text: 'BEGIN' });
  try {
    await connection.query({ text: `SELECT pg_advisory_xact_lock(${LOCK})` });
    await connection.query({ text: 'SET LOCAL statement_timeout = 0' });
    const found = await versionIn(connection);
    const statements = statementsFrom(found, POSTGRES, schema);
    for (const text of statements) await connection.query({ text }, LONGEST_STEP);
    if (found !== undefined && statements.length > 0) {
      const holder = `schema ${versionOf(schema)}`;
      await connection.query({ text: END_TERM, values: [NO_HOLDER, holder] });
    }
    await connection.query({ text: 'COMMIT' });
  } catch (error) {
    connection.drop();
    throw error;
  }
}

async function versionIn(connection: Connection): Promise<number | undefined> {
  const { rows: tables } = await connection.query({ text: "SELECT to_regclass('meta')::text" });
  if (tables[0]?.[0] === null) return undefined;
  const text = 'SELECT value FROM meta WHERE key = $1';
  const { rows } = await connection.query({ text, values: [VERSION_KEY] });
  return rows[0] === undefined ? undefined : Number(rows[0][0]);
}
