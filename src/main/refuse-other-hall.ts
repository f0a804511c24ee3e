import { existsSync } from 'node:fs';
import { openSnapshot } from '../adapters/sqlite/snapshot.ts';
import { operatorCommand } from '../domain/operator-command.ts';
import type { Reads } from '../ports/store.ts';
import { anchorsIn, lastAgreed } from './anchors.ts';
import { databasePath } from './open-store.ts';

/** The backup and the database that it would replace began with different events. */
class OtherHall extends Error {
  override readonly name = 'OtherHall';
}

type Log = Pick<Reads, 'head' | 'sealed'>;

/** Refuses a backup of another hall: each hall's log begins with an event of its own. */
export async function refuseOtherHall(file: string, data: string): Promise<void> {
  const backup = openSnapshot(file);
  try {
    const replaced = await replacedLog(backup, data);
    if (replaced === undefined) return;
    throw new OtherHall(
      `${file} is a backup of another hall (${await describeLog(backup)}), not of the one in ${data} (${replaced}): ` +
        `nothing was changed; to replace it anyway and keep it under another name: ${operatorCommand('restore', '--force', 'FILE')}`,
    );
  } finally {
    backup.close();
  }
}

/** Describes the log in the data folder; undefined when the backup belongs to it, or there is none. */
async function replacedLog(backup: Log, data: string): Promise<string | undefined> {
  const path = databasePath(data);
  const current = existsSync(path) ? await firstOf(path) : undefined;
  if (current === undefined) return anchoredLog(backup, data);
  const [first] = await backup.sealed(0, 1);
  return first === undefined || first.hash === current.hash ? undefined : current.text;
}

/** Undefined when the database is empty or too damaged to be read. */
async function firstOf(path: string): Promise<{ hash: string; text: string } | undefined> {
  try {
    const log = openSnapshot(path);
    try {
      const [first] = await log.sealed(0, 1);
      return first && { hash: first.hash, text: await describeLog(log) };
    } finally {
      log.close();
    }
  } catch {
    return undefined;
  }
}

/** Without a readable database, its anchors tell. */
async function anchoredLog(backup: Log, data: string): Promise<string | undefined> {
  const { seq } = await backup.head();
  const anchors = anchorsIn(data).filter((anchor) => anchor.seq <= seq);
  const last = anchors.at(-1);
  if (!last || (await lastAgreed(anchors, backup)) > 0) return undefined;
  return `anchored at event ${last.seq} on ${last.at}`;
}

async function describeLog(log: Log): Promise<string> {
  const [first] = await log.sealed(0, 1);
  const { seq } = await log.head();
  const began = first ? `, since ${new Date(first.at).toISOString()}` : '';
  return `${seq} ${seq === 1 ? 'event' : 'events'}${began}`;
}
