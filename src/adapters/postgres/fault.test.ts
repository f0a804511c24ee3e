import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import pg from 'pg';
import { delayBefore } from './backoff.ts';
import { faultOf, isRetryable, toFault } from './fault.ts';

function errorWith(code: string): Error {
  return Object.assign(new pg.DatabaseError('said the server', 0, 'error'), { code });
}

describe('a database fault', () => {
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
    test(`a database error with SQLSTATE ${code} is ${fault}`, () => {
      assert.equal(faultOf(errorWith(code)), fault);
    });
  }

  test('a network fault leaves open whether the group was written', () => {
    const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    assert.equal(faultOf(toFault(reset)), 'unanswered');
  });

  test('a bug in the hall itself does not count as a database fault', () => {
    assert.equal(faultOf(toFault(new TypeError('undefined is not a function'))), undefined);
  });

  test('a database fault is retryable unless the server rejects us or is damaged', () => {
    assert.deepEqual(
      ['57P03', '53300', '28P01', '3D000', 'XX001', '23505'].map((code) =>
        isRetryable(errorWith(code)),
      ),
      [true, true, false, false, false, false],
    );
  });
});

describe('the delay before a retry', () => {
  test('the delay before a retry doubles up to two seconds, with jitter', () => {
    const longest = [0, 1, 2, 6, 7, 30].map((attempt) => delayBefore(attempt, () => 1));
    assert.deepEqual(longest, [20, 40, 80, 1_280, 2_000, 2_000]);
    assert.equal(
      delayBefore(7, () => 0),
      1_000,
    );
  });
});
