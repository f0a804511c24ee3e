import { GroupRefused } from '../../ports/store.ts';
import type { Kind } from '../sql/dialect.ts';

/** A cell's type in a statement, the server's number for it, and its size in bytes if fixed. */
interface CellType {
  readonly name: string;
  readonly oid: number;
  readonly bytes: number | undefined;
}

export const CELL_TYPES: Readonly<Record<Kind, CellType>> = {
  number: { name: 'bigint', oid: 20, bytes: 8 },
  flag: { name: 'smallint', oid: 21, bytes: 2 },
  word: { name: 'text', oid: 25, bytes: undefined },
  text: { name: 'text', oid: 25, bytes: undefined },
};

const INT = 4;
const HEADER = 5 * INT;
const HIGH = 2 ** 32;

/**
 * One column of many rows, as an array in the binary form of the protocol: its dimensions, then each
 * cell with its length, which is -1 for null.
 *
 * The server reads 192 events in this form in the time it needs to receive them, 0.6 ms; as JSON it
 * takes 2 ms, and this process takes half as long again to write them (measured).
 */
export function columnArray(kind: Kind, cells: readonly unknown[]): Buffer {
  const { oid, bytes } = CELL_TYPES[kind];
  let size = HEADER;
  for (const cell of cells) size += INT + sizeOf(kind, cell);

  const array = Buffer.allocUnsafe(size);
  const dimensions = 1;
  const hasNulls = 1;
  const firstIndex = 1;
  let at = 0;
  for (const value of [dimensions, hasNulls, oid, cells.length, firstIndex]) {
    at = array.writeInt32BE(value, at);
  }
  for (const cell of cells) {
    if (typeof cell === 'string') {
      const written = array.write(cell, at + INT);
      at = array.writeInt32BE(written, at) + written;
    } else if (typeof cell === 'number') {
      at = array.writeInt32BE(bytes ?? 0, at);
      at = bytes === 2 ? array.writeInt16BE(cell, at) : writeBigint(array, cell, at);
    } else {
      at = array.writeInt32BE(-1, at);
    }
  }
  return array;
}

function sizeOf(kind: Kind, cell: unknown): number {
  const { bytes } = CELL_TYPES[kind];
  if (cell === null || cell === undefined) return 0;
  if (bytes === undefined && typeof cell === 'string') return Buffer.byteLength(cell);
  if (bytes !== undefined && Number.isSafeInteger(cell)) return bytes;
  throw new GroupRefused(
    `the group was not written: expected a ${kind}, got ${JSON.stringify(cell)}`,
  );
}

function writeBigint(array: Buffer, value: number, at: number): number {
  const high = Math.floor(value / HIGH);
  return array.writeUInt32BE(value - high * HIGH, array.writeInt32BE(high, at));
}
