import { StoreFailed } from '../../ports/store.ts';
import type { Connection } from './connection.ts';
import { NotReady } from './fault.ts';

/**
 * The server's system identifier and timeline; promoting a standby and restoring a backup raise the
 * timeline. The last checkpoint names the timeline too, but only some time after a promotion.
 */
export const LINEAGE = `(SELECT system_identifier FROM pg_control_system()) || '/' ||
  left(pg_walfile_name(pg_current_wal_lsn()), 8)`;

/**
 * Makes sure that this session's commits are on disk when answered, and returns the lineage of the
 * server. A role or a database may have weaker settings.
 */
export async function ensureDurability(connection: Connection): Promise<string> {
  await refuseStandby(connection);
  const { rows } = await connection.query({ text: SETTINGS });
  const [commit, fsync, lineage] = rows[0] as [string, string, string];
  if (commit !== 'on' && commit !== 'remote_apply') {
    throw new StoreFailed(`synchronous_commit stays ${commit}: acknowledged changes could be lost`);
  }
  if (fsync !== 'on') {
    throw new StoreFailed('the database runs with fsync off: acknowledged changes could be lost');
  }
  return lineage;
}

export async function refuseStandby(connection: Connection): Promise<void> {
  const { rows } = await connection.query({ text: 'SELECT pg_is_in_recovery()' });
  if (rows[0]?.[0] === true) throw new NotReady('the database is a read-only standby');
}

const SETTINGS = `SELECT
  set_config('synchronous_commit',
    CASE current_setting('synchronous_commit') WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END,
    false),
  current_setting('fsync'),
  ${LINEAGE}`;

export function lineageChanged(recorded: string, found: string): StoreFailed {
  return new StoreFailed(
    `the log was written on server and timeline ${recorded}, but the database is now ${found}: ` +
      'it failed over or was restored while no leader could check whether the end of the log was lost; ' +
      'to accept the database as it is, start with --accept-rollback',
  );
}
