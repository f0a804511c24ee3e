import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import pg from 'pg';
import { delayBefore } from './backoff.ts';
import { faultOf, isRetryable, toFault } from './fault.ts';

function said(code: string): Error {
  return Object.assign(new pg.DatabaseError('said the server', 0, 'error'), { code });
}

describe('a fault', () => {
  for (const [code, fault] of [
    ['23505', 'refused'],
    ['22P02', 'refused'],
    ['21000', 'refused'],
    ['55P03', 'put_off'],
    ['57014', 'put_off'],
    ['40P01', 'put_off'],
    ['53100', 'put_off'],
    ['25006', 'put_off'],
    ['XX001', 'damaged'],
    ['57P01', 'unanswered'],
    ['57P02', 'unanswered'],
    ['08006', 'unanswered'],
    ['XX000', 'unanswered'],
  ] as const) {
    test(`with the state ${code} is ${fault}`, () => {
      assert.equal(faultOf(said(code)), fault);
    });
  }

  test('of the wire leaves open what was written', () => {
    const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    assert.equal(faultOf(toFault(reset)), 'unanswered');
  });

  test('is nothing that a bug of ours can be taken for', () => {
    assert.equal(faultOf(toFault(new TypeError('undefined is not a function'))), undefined);
  });

  test('may mend by itself, unless the server turns us away or is damaged', () => {
    assert.deepEqual(
      ['57P03', '53300', '28P01', '3D000', 'XX001', '23505'].map((code) => isRetryable(said(code))),
      [true, true, false, false, false, false],
    );
  });
});

describe('the delay before another try', () => {
  test('doubles up to two seconds and is never the same for all', () => {
    const longest = [0, 1, 2, 6, 7, 30].map((attempt) => delayBefore(attempt, () => 1));
    assert.deepEqual(longest, [20, 40, 80, 1_280, 2_000, 2_000]);
    assert.equal(
      delayBefore(7, () => 0),
      1_000,
    );
  });
});
