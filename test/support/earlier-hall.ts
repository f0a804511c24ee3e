import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { LINEAGE } from '../../src/adapters/postgres/lineage.ts';
import { ROOT } from './tree.ts';

const FOLDER = join(ROOT, 'test/fixtures/schema-2');

/** A run that a worker of the earlier hall still holds. */
export interface HeldEarlier {
  readonly task: string;
  readonly run: string;
  readonly fence: number;
  readonly worker: string;
  readonly token: string;
}

/** What the hall that left the fixtures was doing. */
export interface EarlierStory {
  /** The last event, and a time after it. */
  readonly seq: number;
  readonly at: string;
  readonly running: HeldEarlier;
  readonly awaiting_approval: HeldEarlier & { readonly approval: string };
  readonly claimed: HeldEarlier;
  readonly tasks: Readonly<
    Record<'deferred' | 'awaiting_input' | 'available' | 'blocked' | 'styled', string>
  >;
  readonly threads: Readonly<Record<'merged' | 'merge_requested', string>>;
}

type Kind = 'sqlite' | 'postgres';

export function earlierStory(kind: Kind): EarlierStory {
  return JSON.parse(readFileSync(join(FOLDER, kind, 'story.json'), 'utf8'));
}

/** The lines of `guildhall export`. */
export function earlierExport(): string {
  return unpacked('export.ndjson').toString();
}

export function earlierDatabase(): Buffer {
  return unpacked('sqlite/hall.db');
}

/** Creates the data folder as the earlier hall left it; its database only on SQLite. */
export function layOutEarlierFolder(data: string, kind: Kind): void {
  mkdirSync(data, { recursive: true, mode: 0o700 });
  for (const [from, to] of [
    ['anchors', 'anchors.log'],
    ['token', 'token'],
  ] as const) {
    writeFileSync(join(data, to), readFileSync(join(FOLDER, kind, from)), { mode: 0o600 });
  }
  if (kind === 'sqlite') writeFileSync(join(data, 'hall.db'), earlierDatabase(), { mode: 0o600 });
}

/** Fills an empty database from the dump. */
export async function loadEarlierDump(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(withoutCommands(unpacked('postgres/dump.sql').toString()));
    await client.query(`UPDATE public.head SET lineage = ${LINEAGE}`);
  } finally {
    await client.end();
  }
}

/** Lines that start like this are for psql. */
function withoutCommands(dump: string): string {
  return dump.replaceAll(/^\\.*$/gm, '');
}

function unpacked(name: string): Buffer {
  return gunzipSync(readFileSync(join(FOLDER, `${name}.gz`)));
}

/** The configuration that the earlier hall had, for `HallProcess`. */
export const EARLIER_HALL = {
  hall: { approval_timeout: '3650d' },
  types: {
    dev: { git: git(), model: 'claude-sonnet-4-6', label_wait: '1s' },
    reviewer: { git: git(), model: 'claude-sonnet-4-6' },
  },
  invokers: [{ handle: 'ada', credential: '$ADA_KEY', url: 'http://127.0.0.1:9' }],
  declared: [{ name: 'shop', max_workers: 9, sources: [{ kind: 'api' }] }],
  env: { ADA_KEY: 'none' },
} as const;

function git() {
  return { name: 'Agent', email: 'agent@example.org' };
}
