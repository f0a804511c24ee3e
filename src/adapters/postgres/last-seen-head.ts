import { type Head, NO_HEAD, StoreFailed } from '../../ports/store.ts';
import type { HeadRow } from './head-row.ts';

/** What this node itself knows of the log, to compare with the database. */
export interface LastSeenHead {
  readonly seen: Head;
  /** The epoch of this node's last write, and the append number that its next append requires. */
  readonly term: { readonly epoch: number; readonly appendNumber: number } | undefined;
  saw(head: Head): void;
  recordTerm(epoch: number, appendNumber: number): void;
  /** Throws when the database has lost something that this node saw before the query. */
  compare(row: Pick<HeadRow, 'seq' | 'linkThere'>, seenBefore: Head): void;
}

export function createLastSeenHead(): LastSeenHead {
  let seen: Head = NO_HEAD;
  let term: LastSeenHead['term'];

  return {
    get seen() {
      return seen;
    },
    get term() {
      return term;
    },
    saw(head) {
      if (head.seq > seen.seq) seen = { seq: head.seq, link: head.link };
    },
    recordTerm(epoch, appendNumber) {
      term = { epoch, appendNumber };
    },
    compare(row, before) {
      if (row.seq < before.seq) {
        throw new StoreFailed(
          `the database ends at event ${row.seq}, but this node has seen event ${before.seq}: ${LOST}`,
        );
      }
      if (before.seq > 0 && row.linkThere !== before.link) {
        throw new StoreFailed(
          `event ${before.seq} in the database is not the one this node has seen: ${LOST}`,
        );
      }
    },
  };
}

const LOST =
  'it was restored from a backup, or failed over to a standby that lacked the end of the log';
