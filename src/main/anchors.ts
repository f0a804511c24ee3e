import { existsSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { sync } from '../adapters/files/write-durably.ts';
import type { Hall } from '../board/hall.ts';
import type { Instant } from '../domain/ids.ts';
import { operatorCommand } from '../domain/operator-command.ts';
import type { Log } from '../ports/log.ts';
import type { Head, Reads } from '../ports/store.ts';

/**
 * The end of the log at some moment, recorded outside the database. The chain shows that nothing in the
 * middle was changed; only an anchor shows that nothing is missing at the end, and that it is not a
 * different chain.
 */
export interface Anchor extends Head {
  readonly at: string;
  /** The operator accepted a rollback to this event; anchors after it are void. */
  readonly backTo: number | null;
}

const FILE = 'anchors.log';
const LINE = /^(\S+) (\d+) ([0-9a-f]{64})(?: back-to (\d+))?$/;

/** The valid anchors, oldest first. Skips a line that a crash cut short. */
export function anchorsIn(folder: string): readonly Anchor[] {
  const path = join(folder, FILE);
  if (!existsSync(path)) return [];
  const anchors: Anchor[] = [];
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const anchor = anchorFrom(line);
    if (!anchor) continue;
    if (anchor.backTo !== null) {
      while ((anchors.at(-1)?.seq ?? 0) > anchor.backTo) anchors.pop();
    }
    anchors.push(anchor);
  }
  return anchors;
}

function anchorFrom(line: string): Anchor | undefined {
  const [, at, seq, link, backTo] = LINE.exec(line) ?? [];
  if (at === undefined || link === undefined) return undefined;
  return { at, seq: Number(seq), link, backTo: backTo === undefined ? null : Number(backTo) };
}

export async function writeAnchor(
  folder: string,
  { seq, link }: Head,
  { at, backTo = null }: { readonly at: Instant; readonly backTo?: number | null },
): Promise<void> {
  const back = backTo === null ? '' : ` back-to ${backTo}`;
  const line = `${new Date(at).toISOString()} ${seq} ${link}${back}\n`;
  await using file = await open(join(folder, FILE), 'a+', 0o600);
  await file.appendFile((await endsInLine(file)) ? line : `\n${line}`);
  await file.sync();
  await sync(folder);
}

async function endsInLine(file: Awaited<ReturnType<typeof open>>): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return true;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer.toString() === '\n';
}

/** How the log contradicts an anchor; undefined when they agree. */
export async function faultAgainst(
  { at, seq, link }: Anchor,
  reads: Pick<Reads, 'head' | 'sealed'>,
): Promise<string | undefined> {
  const head = await reads.head();
  if (head.seq < seq) {
    return `the log ends at event ${head.seq}, but at ${at} it had reached event ${seq}: its end is missing`;
  }
  const [event] = await reads.sealed(seq - 1, 1);
  if (event?.link === link) return undefined;
  return `event ${seq} is not the one that was anchored at ${at}: the log was replaced by another one`;
}

/** The database is older than its last anchor, or is a different one. */
export class RolledBack extends Error {
  override readonly name = 'RolledBack';
}

/**
 * Refuses a log that contradicts its last anchor. With `accept`, voids the anchors after the last that
 * agrees.
 */
export async function refuseRollback(
  folder: string,
  reads: Pick<Reads, 'head' | 'sealed'>,
  { accept, at }: { readonly accept: boolean; readonly at: Instant },
): Promise<void> {
  const anchors = anchorsIn(folder);
  const last = anchors.at(-1);
  const fault = last && (await faultAgainst(last, reads));
  if (fault === undefined) return;
  if (!accept) {
    throw new RolledBack(
      `${fault} (to restore a backup and invalidate the leases of earlier workers: ${operatorCommand('restore', 'FILE')}; ` +
        `to accept the database as it is: ${operatorCommand('start', '--accept-rollback')})`,
    );
  }
  const backTo = await lastAgreed(anchors, reads);
  await writeAnchor(folder, await reads.head(), { at, backTo });
}

/** The event of the last anchor that the log agrees with; 0 when there is none. */
export async function lastAgreed(
  anchors: readonly Anchor[],
  reads: Pick<Reads, 'head' | 'sealed'>,
): Promise<number> {
  for (const anchor of anchors.toReversed()) {
    if ((await faultAgainst(anchor, reads)) === undefined) return anchor.seq;
  }
  return 0;
}

interface Needs {
  readonly folder: string;
  readonly hall: Pick<Hall, 'store' | 'clock' | 'subscribe' | 'lastCommit'>;
  readonly log: Log;
}

const EVERY = 60_000;

export interface Anchoring {
  /** Anchors the end of the log a last time. */
  stop(): Promise<void>;
  /** After the store failed: anchors the last change that this node acknowledged. */
  abandon(): Promise<void>;
}

/**
 * Anchors the end of the log at the start, with the first event of a log, and every minute in which it
 * grew. Without an early anchor, a database lost in the first minute would look like a new hall.
 */
export async function startAnchoring({ folder, hall, log }: Needs): Promise<Anchoring> {
  const { store, clock } = hall;
  let anchored = anchorsIn(folder).at(-1)?.seq ?? 0;
  let isStopped = false;
  let timer: { cancel(): void } | undefined;
  let last: Promise<void> = Promise.resolve();

  async function anchor(head: Head): Promise<void> {
    if (head.seq === anchored) return;
    await writeAnchor(folder, head, { at: clock.now() });
    anchored = head.seq;
  }

  function anchorNow(): void {
    timer?.cancel();
    last = last
      .then(async () => anchor(await store.head()))
      .catch((fault: Error) => log.error('anchor not written', { fault: fault.message }))
      .finally(() => {
        timer?.cancel();
        if (!isStopped) timer = clock.after(EVERY, anchorNow);
      });
  }

  async function end(): Promise<void> {
    isStopped = true;
    growth.stop();
    timer?.cancel();
    await last;
  }

  const growth = hall.subscribe(() => {
    if (anchored === 0 && !isStopped) anchorNow();
    growth.stop();
  });
  anchorNow();
  await last;
  return {
    async stop() {
      await end();
      await anchor(await store.head());
    },
    async abandon() {
      await end();
      const head = hall.lastCommit();
      if (head && head.seq > anchored) await anchor(head);
    },
  };
}
