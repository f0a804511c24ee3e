import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { History } from '../../../test/support/history.ts';
import { dice, settleIn, wander } from '../../../test/support/story.ts';
import { NO_HEAD, type SealedEvent } from '../../ports/store.ts';
import { seal, verifyChain } from './chain.ts';

/** Three commits, as a store would seal them. */
function sealedLog(): readonly SealedEvent[] {
  const history = settleIn(new History());
  const roll = dice(1);
  const log: SealedEvent[] = [];
  let head = NO_HEAD;
  for (let commit = 0; commit < 3; commit += 1) {
    for (let n = 0; n < 5; n += 1) wander(history, roll);
    const next = seal(head, history.group().events);
    log.push(...next.sealed);
    head = next.head;
  }
  return log;
}

function faultIn(log: readonly SealedEvent[]): string | undefined {
  const chain = verifyChain();
  return chain.follow(log) ?? chain.finish();
}

function changed(
  log: readonly SealedEvent[],
  seq: number,
  change: Partial<SealedEvent>,
): readonly SealedEvent[] {
  return log.map((event) => (event.seq === seq ? { ...event, ...change } : event));
}

const WINDOW = { type: 'QuotaWindowOpened', window: 2_871 } as const;

describe('the chain', () => {
  const log = sealedLog();
  const links = log.filter(({ link }) => link !== null);
  const [first, second] = links.map(({ seq }) => seq);

  test('the chain verifies in one piece or in many', () => {
    assert.equal(faultIn(log), undefined);
    for (const size of [1, 2, 7]) {
      const chain = verifyChain();
      for (let at = 0; at < log.length; at += size) {
        assert.equal(chain.follow(log.slice(at, at + size)), undefined);
      }
      assert.equal(chain.finish(), undefined);
      assert.equal(chain.head().link, log.at(-1)?.link);
    }
  });

  test('the chain verifies from a trusted link', () => {
    const from = { seq: first ?? 0, link: links[0]?.link ?? '' };
    const chain = verifyChain(from);
    assert.equal(chain.follow(log.slice(from.seq)) ?? chain.finish(), undefined);
  });

  test('the chain still verifies after the text of an event was erased', () => {
    assert.equal(faultIn(changed(log, 3, { body: null })), undefined);
  });

  test('the chain names an event that was changed in any field', () => {
    const changes: readonly Partial<SealedEvent>[] = [
      { at: 1 },
      { actor: 'eve' },
      { cause: 'another request' },
      { type: 'TaskPosted' },
      { body: '{"type":"HallPaused"}' },
      { hash: 'f'.repeat(64) },
    ];
    for (const change of changes) {
      assert.equal(
        faultIn(changed(log, 3, change)),
        'event 3 does not match its hash: it was changed after it was written',
        JSON.stringify(change),
      );
    }
  });

  test('the chain names the commit whose erased event has another hash', () => {
    assert.equal(
      faultIn(changed(log, 3, { body: null, hash: 'f'.repeat(64) })),
      `the link of event ${first} does not follow from event 0 and the events since`,
    );
  });

  test('the chain names missing events and events without a link', () => {
    assert.equal(faultIn(log.filter(({ seq }) => seq !== 3)), 'event 3 is missing: 4 follows 2');
    assert.equal(faultIn(log.toSpliced(0, 1)), 'event 1 is missing: 2 follows 0');
    assert.equal(
      faultIn(log.slice(0, -1)),
      `events ${(second ?? 0) + 1} to ${log.length - 1} are not sealed by a link`,
    );
    assert.equal(
      faultIn(changed(log, first ?? 0, { link: null })),
      `the link of event ${second} does not follow from event 0 and the events since`,
    );
  });

  test('the chain distinguishes events whose joined fields are the same text', () => {
    const recorded = { seq: 1, at: 1, event: { type: 'QuotaWindowOpened', window: 1 } } as const;
    const hashes = [
      { actor: 'ab', cause: 'c' },
      { actor: 'a', cause: 'bc' },
      { actor: 'a,1:b', cause: 'c' },
      { actor: '', cause: 'abc' },
      { actor: 'ab\nc', cause: '' },
      { actor: 'a,b', cause: 'c' },
      { actor: 'a', cause: 'b,c' },
    ].map((who) => seal(NO_HEAD, [{ ...recorded, ...who }]).sealed[0]?.hash);
    assert.equal(new Set(hashes).size, hashes.length);
  });

  test('the link of a commit depends on all commits before it', () => {
    const event = { seq: 1, at: 1, actor: 'a', cause: 'b', event: WINDOW };
    const heads = ['0', '1'].map((digit) => seal({ seq: 0, link: digit.repeat(64) }, [event]).head);
    assert.notEqual(heads[0]?.link, heads[1]?.link);
  });

  test('the hashes of the chain stay the same in every version of the hall', () => {
    const stored = { type: 'WindowOpened', body: '{"type":"WindowOpened","window":2871}' };
    const event = {
      seq: 1,
      at: 1_736_154_000_000,
      actor: 'ada',
      cause: 'r-1',
      event: WINDOW,
      stored,
    };
    const { sealed, head } = seal(NO_HEAD, [event]);
    assert.equal(
      sealed[0]?.hash,
      'b12e16821fc2fd9e88a5566852aa75bb74a04cf7e220e4f3a605fcf5130c173f',
    );
    assert.equal(head.link, 'b454447ae0c080d2c9eed09bc7fc0011138b587404c19090ec9104bc38f1231a');
  });

  test('a commit without events does not extend the chain', () => {
    assert.deepEqual(seal(NO_HEAD, []), { sealed: [], head: NO_HEAD });
  });
});
