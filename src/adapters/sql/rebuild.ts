import { Board } from '../../domain/board.ts';
import type { Recorded } from '../../domain/event.ts';
import { evolve } from '../../domain/evolve.ts';
import { eventIn } from '../../domain/renamed-events.ts';
import type { Row } from '../../domain/row.ts';
import type { Reads, SealedEvent } from '../../ports/store.ts';
import { verifyChain } from './chain.ts';
import { type DumpLine, inDumpOrder } from './dump-format.ts';

const PIECE = 5_000;

/** Empty tables to fold the log into again. */
export interface FreshTables {
  put(row: Row): void;
  dump(): AsyncIterable<DumpLine>;
}

interface Rebuilt {
  readonly board: Board;
  /** What is wrong with the log itself, as text; the fold stopped there. */
  readonly fault: string | undefined;
}

/** Folds the whole log from its beginning and checks its chain. Rows after `until` are left out. */
export async function rebuild(
  from: Pick<Reads, 'sealed'>,
  tables: Pick<FreshTables, 'put'>,
  until: number,
): Promise<Rebuilt> {
  const board = new Board();
  const chain = verifyChain();
  for (;;) {
    const sealed = await from.sealed(board.seq, PIECE);
    if (sealed.length === 0) return { board, fault: chain.finish() };
    const fault = chain.follow(sealed) ?? fold(board, { tables, until }, sealed);
    if (fault) return { board, fault };
  }
}

function fold(
  board: Board,
  { tables, until }: { readonly tables: Pick<FreshTables, 'put'>; readonly until: number },
  sealed: readonly SealedEvent[],
): string | undefined {
  for (const { body, ...facts } of sealed) {
    if (body === null) return `the text of event ${facts.seq} was erased, so it cannot be replayed`;
    const recorded: Recorded = { ...facts, event: eventIn(body) };
    const rows = evolve(board, recorded);
    if (recorded.seq <= until) for (const row of rows) tables.put(row);
    if (facts.link !== null) board.commit();
  }
  return undefined;
}

/** The first differences between two dumps, as text; none when they are equal. Both must be in dump order. */
export async function compareDumps(
  stored: AsyncIterable<DumpLine>,
  folded: AsyncIterable<DumpLine>,
  most: number,
): Promise<readonly string[]> {
  const differences: string[] = [];
  const expected = folded[Symbol.asyncIterator]();
  let next = await expected.next();
  for await (const line of stored) {
    while (!next.done && inDumpOrder(next.value, line) < 0) {
      differences.push(missing(next.value));
      next = await expected.next();
    }
    if (next.done || inDumpOrder(next.value, line) > 0) differences.push(unmade(line));
    else {
      if (next.value[2] !== line[2]) differences.push(changed(line, next.value));
      next = await expected.next();
    }
    if (differences.length >= most) return differences.slice(0, most);
  }
  for (; !next.done && differences.length < most; next = await expected.next()) {
    differences.push(missing(next.value));
  }
  return differences.slice(0, most);
}

function missing([table, key, value]: DumpLine): string {
  return `${table} ${key} is missing in the tables; according to the events it is ${value}`;
}

function unmade([table, key]: DumpLine): string {
  return `${table} ${key} is in the tables, but no event created it`;
}

function changed([table, key, value]: DumpLine, [, , other]: DumpLine): string {
  return `${table} ${key} is ${value} in the tables, but ${other} according to the events`;
}
