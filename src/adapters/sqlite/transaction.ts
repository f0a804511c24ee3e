import { LeadershipLost } from '../../ports/store.ts';
import { type Connection, refuseUnlessDurable } from './connection.ts';
import { storeFailed, toStoreFault } from './fault.ts';

export type InTransaction = <T>(attempted: string, work: () => T) => T;

/** Runs work in a transaction, and translates what fails. */
export function createTransaction(db: Connection): InTransaction {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const rollback = db.prepare('ROLLBACK');
  let isChecked = false;
  return (attempted, work) => {
    try {
      begin.run();
      const done = work();
      commit.run();
      // The first write of a start on a full disk is not the one that counts starts.
      if (!isChecked) refuseUnlessDurable(db);
      isChecked = true;
      return done;
    } catch (error) {
      try {
        if (db.inTransaction) rollback.run();
      } catch (second) {
        throw storeFailed(second, `roll back an attempt to ${attempted}`);
      }
      throw error instanceof LeadershipLost ? error : toStoreFault(error, attempted);
    }
  };
}
