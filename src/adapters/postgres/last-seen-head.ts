import { type Head, NO_HEAD, StoreFailed } from '../../ports/store.ts';
import type { HeadRow } from './head-row.ts';

/** What this node knows of the log by itself, to be held against what the database says. */
export interface LastSeenHead {
  readonly seen: Head;
  /** The epoch under which this node wrote last, and the appendNumber that its next append has to find. */
  readonly term: { readonly epoch: number; readonly appendNumber: number } | undefined;
  saw(head: Head): void;
  startTerm(epoch: number, appendNumber: number): void;
  /** Throws when the database has lost what this node saw before it asked. */
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
    startTerm(epoch, appendNumber) {
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
