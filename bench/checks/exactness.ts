import { join } from 'node:path';
import { createClock } from '../../src/adapters/system/clock.ts';
import { eventIn } from '../../src/domain/renamed-events.ts';
import { openReads } from '../../src/main/open-store.ts';
import { verify } from '../../src/main/verify-log.ts';
import type { Reads } from '../../src/ports/store.ts';
import type { Lab, Ours } from '../lab.ts';
import { storeSettings } from '../store/prepare.ts';
import { Ledger } from './ledger.ts';

export interface Exact {
  readonly fault: string | undefined;
  readonly seen: string;
}

/** Folding more than this takes longer than the measurement, and the ledger has checked all of it. */
const FOLD_UP_TO = 1_500_000;

const PIECE = 10_000;

/**
 * Reads the whole log of a stopped hall: each task was held by one run at a time, in order, under rising
 * fences, within every limit; the counters are right; and the tables equal the fold of the events.
 */
export async function exactness(lab: Lab, { folder, store }: Ours): Promise<Exact> {
  lab.progress.say('  checking exactness');
  const hall = { data: join(folder, 'data'), store: storeSettings(store) };
  const quiet = { info: nothing, warn: nothing, error: nothing };
  const needs = { clock: createClock(), log: quiet };
  const ledger = new Ledger();
  await using opened = await openReads(hall, needs);
  const { reads } = opened;
  const events = await followLog(reads, ledger);
  const faults = [...ledger.faults, ...(await miscounted(reads, ledger))];
  const isFolded = events <= FOLD_UP_TO;
  if (isFolded) faults.push(...(await verify(hall, needs, nothing)).faults);
  const seen =
    `${events.toLocaleString('en')} events, ${ledger.claims.toLocaleString('en')} claims, ` +
    `${ledger.completed.toLocaleString('en')} completed` +
    (isFolded
      ? ', tables equal to the fold of the events'
      : ', tables not compared: too many events');
  return { fault: faults[0], seen };
}

function nothing(): void {
  return;
}

async function followLog(reads: Reads, ledger: Ledger): Promise<number> {
  let last = 0;
  for (;;) {
    const sealed = await reads.sealed(last, PIECE);
    if (sealed.length === 0) return last;
    for (const { seq, body } of sealed) {
      if (seq !== last + 1) ledger.faults.push(`event ${seq} follows event ${last}`);
      if (body !== null) ledger.follow(eventIn(body));
      last = seq;
    }
  }
}

/** Compares the stored counters with the ledger. */
async function miscounted(reads: Reads, ledger: Ledger): Promise<readonly string[]> {
  const faults: string[] = [];
  const counters = new Map<string, number>();
  for await (const [table, key, value] of reads.dump()) {
    // The counters come first; everything else is compared by folding the log.
    if (table === 'thread' || table === 'task') break;
    if (table !== 'tally') continue;
    counters.set(key, (JSON.parse(value) as { readonly completed: number }).completed);
  }
  for (const [project, count] of ledger.completedIn) {
    const counted = counters.get(project) ?? 0;
    if (counted !== count) {
      faults.push(`the counter of ${project} has ${counted} completed, the log ${count}`);
    }
  }
  return faults;
}
