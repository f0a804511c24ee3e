import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createMemoryTables } from '../../src/adapters/memory/tables.ts';
import { openSqlite } from '../../src/adapters/sqlite/open.ts';
import type { Store } from '../../src/ports/store.ts';
import { History } from '../../test/support/history.ts';
import { dumpOf } from '../../test/support/opened-store.ts';
import { dice, settleIn, wander } from '../../test/support/story.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { verifyTables } from '../../test/support/verify-tables.ts';
import type { Part } from './part.ts';

const EVENTS = 400;

/** One flipped bit anywhere in the file: the start or the verification notices it, or nothing that is read differs. */
export const bitFlips: Part = async ({ flips }, say) => {
  using folder = tempFolder();
  const path = folder.file('hall.db');
  const roll = dice(7);
  const whole = await writeHistory(path, roll);
  const file = readFileSync(path);
  let noticed = 0;
  for (let count = 1; count <= flips; count += 1) {
    const bytes = Buffer.from(file);
    const at = Math.floor(roll() * bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(roll() * 8));
    for (const part of ['-wal', '-shm']) rmSync(path + part, { force: true });
    writeFileSync(path, bytes);
    const read = await readSound(path);
    if (read === undefined) noticed += 1;
    else assert.deepEqual(read, whole, `the flipped bit in byte ${at} was not noticed`);
    if (count % 100 === 0) say(`bit flips: ${count}, ${noticed} noticed`);
  }
  return { 'bit flips': flips, noticed, 'without effect': flips - noticed, 'served wrong': 0 };
};

async function writeHistory(path: string, roll: () => number): Promise<unknown> {
  const store = await openSqlite({ path, checkUpTo: 0 });
  const history = settleIn(new History());
  for (let n = 0; n < EVENTS; n += 1) wander(history, roll);
  await history.commit(store);
  const whole = await everything(store);
  await store.close();
  return whole;
}

/** All that can be read, or undefined when the damage is noticed. */
async function readSound(path: string): Promise<unknown> {
  let store: Store | undefined;
  try {
    store = await openSqlite({ path, checkUpTo: 2 ** 30 });
    const faults = await verifyTables(store, createMemoryTables());
    return faults.length > 0 ? undefined : await everything(store);
  } catch {
    return undefined;
  } finally {
    await store?.close();
  }
}

async function everything(store: Store) {
  return { dump: await dumpOf(store), sealed: await store.sealed(0, 10_000) };
}
