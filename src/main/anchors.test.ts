import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { createManualClock } from '../../test/support/manual-clock.ts';
import type { Hall } from '../board/hall.ts';
import type { SealedEvent } from '../ports/store.ts';
import {
  anchorsIn,
  faultAgainst,
  RolledBack,
  refuseRollback,
  startAnchoring,
  writeAnchor,
} from './anchors.ts';

const at = Date.parse('2026-03-01T12:00:00Z');
const linkOf = (seq: number, past = 'a') => `${past}${seq}`.padStart(64, '0');

/** A log of so many events, each a commit of its own. */
function logOf(length: number, past = 'a') {
  const sealed = (seq: number): SealedEvent => ({
    seq,
    at,
    actor: 'hall',
    cause: 'test',
    type: 'HallPaused',
    body: '{}',
    hash: '',
    link: linkOf(seq, past),
  });
  return {
    head: async () => ({ seq: length, link: linkOf(length, past) }),
    sealed: async (after: number, limit: number) =>
      Array.from({ length: Math.max(0, Math.min(limit, length - after)) }, (_, n) =>
        sealed(after + n + 1),
      ),
  };
}

describe('anchors of the log', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'guildhall-anchors-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const anchor = (seq: number, backTo?: number) =>
    writeAnchor(folder, { seq, link: linkOf(seq) }, { at, backTo: backTo ?? null });

  it('an anchor is a line of time, event number and link', async () => {
    await anchor(7);
    const text = readFileSync(join(folder, 'anchors.log'), 'utf8');
    assert.equal(text, `2026-03-01T12:00:00.000Z 7 ${linkOf(7)}\n`);
  });

  it('a log that has grown since its last anchor is accepted', async () => {
    await anchor(7);
    await refuseRollback(folder, logOf(9), { accept: false, at });
  });

  it('a log whose end is missing is refused, and the refusal names guildhall restore', async () => {
    await anchor(7);
    await assert.rejects(
      refuseRollback(folder, logOf(5), { accept: false, at }),
      (error: Error) =>
        error instanceof RolledBack &&
        error.message.startsWith('the log ends at event 5, but at 2026-03-01T12:00:00.000Z') &&
        error.message.includes('guildhall restore'),
    );
  });

  it('another log that is long enough is refused by its link', async () => {
    await anchor(7);
    await assert.rejects(
      refuseRollback(folder, logOf(9, 'b'), { accept: false, at }),
      /event 7 is not the one that was anchored/,
    );
  });

  it('an accepted rollback voids only the anchors that the log contradicts', async () => {
    await anchor(3);
    await anchor(7);
    await refuseRollback(folder, logOf(5), { accept: true, at });
    assert.deepEqual(
      anchorsIn(folder).map(({ seq }) => seq),
      [3, 5],
    );
    await refuseRollback(folder, logOf(5), { accept: false, at });
  });

  it('an anchor line cut short by a crash is ignored, and the next anchor starts a new line', async () => {
    await anchor(3);
    appendFileSync(join(folder, 'anchors.log'), '2026-03-01T12:01:00.000Z 5 0000');
    assert.equal(anchorsIn(folder).at(-1)?.seq, 3);
    await anchor(7);
    assert.deepEqual(
      anchorsIn(folder).map(({ seq }) => seq),
      [3, 7],
    );
  });

  it('an anchor of the last event agrees with the log', async () => {
    const last = { at: 'then', seq: 7, link: linkOf(7), backTo: null };
    assert.equal(await faultAgainst(last, logOf(7)), undefined);
  });

  it('a new log is anchored with its first event, not a minute later', async () => {
    let length = 0;
    let grow: () => void = assert.fail;
    const hall = {
      store: { head: () => logOf(length).head() } as Hall['store'],
      clock: createManualClock(at),
      subscribe: (listener: Parameters<Hall['subscribe']>[0]) => {
        grow = () => listener([]);
        return { stop: () => undefined };
      },
      lastCommit: () => ({ seq: 9, link: linkOf(9) }),
    };
    const log = { info: assert.fail, warn: assert.fail, error: assert.fail };
    const anchoring = await startAnchoring({ folder, hall, log });
    length = 4;
    grow();
    await anchoring.abandon();
    assert.deepEqual(
      anchorsIn(folder).map(({ seq }) => seq),
      [4, 9],
    );
  });
});
