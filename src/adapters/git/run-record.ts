import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Harvest } from '../../ports/workspace.ts';
import { writeDurably } from '../files/write-durably.ts';

/** The outcome of a run's work. Nothing is deleted while it is `open`. */
export type Fate = 'open' | 'nothing' | 'pushed' | 'rescued';

interface RunRecord {
  /** The folder of the mirror that lends its objects. */
  readonly mirror: string;
  /** The agent's HEAD, and a digest of the request. */
  readonly head: string | null;
  readonly asked: string;
  readonly harvest: Harvest;
  readonly fate: Fate;
  readonly at: number;
}

export function readRecord(folder: string): RunRecord | undefined {
  const file = join(folder, RECORD);
  if (!existsSync(file)) return undefined;
  const { harvest, ...record } = JSON.parse(readFileSync(file, 'utf8')) as RunRecord;
  return { ...record, harvest: presentHarvest(harvest) };
}

/** Version 0.1 wrote `spoilt` for work that cannot be used; its runs may still be on the disk. */
function presentHarvest(harvest: Harvest | { readonly is: 'spoilt'; readonly because: string }) {
  return harvest.is === 'spoilt' ? { ...harvest, is: 'unusable' as const } : harvest;
}

export async function writeRecord(folder: string, record: RunRecord): Promise<void> {
  await writeDurably(join(folder, RECORD), JSON.stringify(record));
}

const RECORD = 'record.json';
