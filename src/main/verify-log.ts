import { createMemoryTables } from '../adapters/memory/tables.ts';
import { compareDumps, rebuild } from '../adapters/sql/rebuild.ts';
import { checkFile } from '../adapters/sqlite/integrity.ts';
import type { HallSettings } from '../config/config.ts';
import type { Reads, SealedEvent } from '../ports/store.ts';
import { type Anchor, anchorsIn } from './anchors.ts';
import { databasePath, type Needs, openReads } from './open-store.ts';

export interface Verdict {
  readonly events: number;
  readonly anchors: number;
  readonly rows: number;
  /** The faults in the order found; empty when the log and the tables are intact. */
  readonly faults: readonly string[];
}

const MAX_FAULTS = 10;

/** Verifies the hash chain and the anchors, rebuilds the board and compares every row. */
export async function verify(
  hall: Pick<HallSettings, 'data' | 'store'>,
  needs: Needs,
  progress: (events: number, of: number) => void,
): Promise<Verdict> {
  await using opened = await openReads(hall, needs);
  const { reads } = opened;
  for (let tries = 1; ; tries += 1) {
    const { verdict, moved } = await verifyOnce(reads, hall, progress);
    if (verdict.faults.length === 0 || !moved) return verdict;
    if (tries === MAX_TRIES) return { ...verdict, faults: [CHANGING] };
  }
}

/** With PostgreSQL the hall may write during the comparison, which is then repeated. */
const MAX_TRIES = 5;
const CHANGING = 'the board changes too fast to be compared: drain the hall, then verify again';

async function verifyOnce(
  reads: Reads,
  hall: Pick<HallSettings, 'data' | 'store'>,
  progress: (events: number, of: number) => void,
): Promise<{ readonly verdict: Verdict; readonly moved: boolean }> {
  const { seq } = await reads.head();
  const anchorCheck = createAnchorCheck(anchorsIn(hall.data));
  const tables = createMemoryTables();
  const observed = {
    async sealed(after: number, limit: number) {
      const sealed = await reads.sealed(after, limit);
      anchorCheck.check(sealed);
      progress(sealed.at(-1)?.seq ?? after, seq);
      return sealed;
    },
  };
  const { board, fault } = await rebuild(observed, tables, await reads.foldedTo());
  const damage = hall.store.kind === 'sqlite' ? await checkFile(databasePath(hall.data)) : [];
  const early = [...(fault === undefined ? [] : [fault]), ...anchorCheck.faults(seq), ...damage];
  const counted = countRows(reads);
  const differences =
    fault === undefined ? await compareDumps(counted.dump(), tables.dump(), MAX_FAULTS) : [];
  const verdict = {
    events: board.seq,
    anchors: anchorCheck.count,
    rows: counted.count(),
    faults: [...early, ...differences],
  };
  return { verdict, moved: (await reads.head()).seq !== seq };
}

interface AnchorCheck {
  readonly count: number;
  check(sealed: readonly SealedEvent[]): void;
  faults(end: number): readonly string[];
}

/** Checks anchors while the log is read. */
function createAnchorCheck(anchors: readonly Anchor[]): AnchorCheck {
  const open = new Map(anchors.map((anchor) => [anchor.seq, anchor]));
  const faults: string[] = [];
  return {
    count: anchors.length,
    check(sealed) {
      for (const { seq, link } of sealed) {
        const anchor = open.get(seq);
        if (!anchor) continue;
        open.delete(seq);
        if (anchor.link !== link) faults.push(replaced(anchor));
      }
    },
    faults(end) {
      const beyond = [...open.values()].filter(({ seq }) => seq > end).slice(-1);
      return [...faults, ...beyond.map((anchor) => missing(anchor, end))];
    },
  };
}

function replaced({ seq, at }: Anchor): string {
  return `event ${seq} is not the one that was anchored at ${at}: the log was replaced by another one`;
}

function missing({ seq, at }: Anchor, end: number): string {
  return `the log ends at event ${end}, but event ${seq} was anchored at ${at}: its end is missing`;
}

function countRows(reads: Pick<Reads, 'dump'>) {
  let count = 0;
  async function* dump() {
    for await (const line of reads.dump()) {
      count += 1;
      yield line;
    }
  }
  return { dump, count: () => count };
}
