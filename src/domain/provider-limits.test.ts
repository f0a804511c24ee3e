import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BoardFixture } from '../../test/support/board-fixture.ts';
import { tick } from './due-changes.ts';
import { resume } from './pausing.ts';
import { classifyProviderError, type ProviderError, parkInvoker } from './provider-limits.ts';
import { why } from './why.ts';

const AT = Date.parse('2026-11-16T10:00:00Z');
const MINUTE = 60_000;

describe('the errors of a provider', () => {
  test('provider errors are classified as limits, credentials, overload or bad requests', () => {
    const failures = [
      [429, 'quota'],
      [402, 'quota'],
      [401, 'auth'],
      [403, 'auth'],
      [529, 'overloaded'],
      [500, 'overloaded'],
      [400, 'refused'],
      [413, 'refused'],
    ] as const;
    for (const [status, failure] of failures) {
      assert.equal(classifyProviderError(declined(status), AT).failure, failure, String(status));
    }
    const broke = { kind: 'invalid_request_error', message: 'Your credit balance is too low' };
    assert.equal(classifyProviderError({ ...declined(400), ...broke }, AT).failure, 'quota');
  });

  test('the retry time is read from every header in which a provider sends it', () => {
    const resets = [
      [{ 'retry-after': '63' }, AT + 63_000],
      [{ 'retry-after': 'Mon, 16 Nov 2026 10:05:00 GMT' }, AT + 5 * MINUTE],
      [
        { 'anthropic-ratelimit-unified-reset': String((AT + 90 * MINUTE) / 1_000) },
        AT + 90 * MINUTE,
      ],
      [
        {
          'anthropic-ratelimit-tokens-remaining': '0',
          'anthropic-ratelimit-tokens-reset': '2026-11-16T10:02:00Z',
          'anthropic-ratelimit-requests-remaining': '17',
          'anthropic-ratelimit-requests-reset': '2026-11-16T11:00:00Z',
          'retry-after': '10',
        },
        AT + 2 * MINUTE,
      ],
      [{}, AT + MINUTE],
      [{ 'retry-after': 'soon' }, AT + MINUTE],
      [{ 'anthropic-ratelimit-unified-reset': '1' }, AT + MINUTE],
    ] as const;
    for (const [headers, until] of resets) {
      assert.equal(
        classifyProviderError(declined(429, headers), AT).until,
        until,
        JSON.stringify(headers),
      );
    }
  });

  test('without a retry time, a limit waits a minute and an overload 15 seconds', () => {
    const waits = [429, 529].map(
      (status) => (classifyProviderError(declined(status), AT).until ?? 0) - AT,
    );
    assert.deepEqual(waits, [MINUTE, 15_000]);
  });

  test('a refused credential waits 15 minutes, whatever retry time the provider sends', () => {
    const { until } = classifyProviderError(declined(401, { 'retry-after': '5' }), AT);
    assert.equal(until, AT + 15 * MINUTE);
  });

  test('a retry time is limited to eight days', () => {
    const { until } = classifyProviderError(declined(429, { 'retry-after': '999999999' }), AT);
    assert.equal(until, AT + 8 * 86_400_000);
  });

  test('a bad request has no retry time', () => {
    assert.equal(classifyProviderError(declined(400, { 'retry-after': '60' }), AT).until, null);
  });
});

describe('an invoker whose provider refuses', () => {
  test('an invoker is parked once, even if several calls fail together', () => {
    const table = parked(AT + MINUTE);
    park(table, AT + MINUTE + 900);
    park(table, AT + MINUTE - 900);
    assert.equal(parkings(table), 1);
    park(table, AT + 5 * MINUTE);
    assert.equal(parkings(table), 2);
    assert.equal(table.board.invokers.get('ada')?.parkedUntil, AT + 5 * MINUTE);
  });

  test('a parked invoker pays for no run until its parking ends, and task why shows when that is', () => {
    const table = parked(AT + MINUTE);
    const { task } = table.post();
    const worker = table.worker('dev-default', { bringsModel: false });
    table.waiting = { waits: () => true, includes: () => true };

    assert.equal(table.refused(table.claiming(worker)).refused, 'nothing_claimable');
    const [reason] = reasons(table, task);
    assert.equal(reason?.rule, 'invoker_parked');
    assert.match(
      reason?.because ?? '',
      /ada opens again at 2026-11-16T10:01:00.000Z \(answered 429\)/,
    );
    assert.equal(reason?.until, AT + MINUTE);

    table.at = AT + MINUTE - 1;
    table.do(tick(table.board, table.now));
    assert.notEqual(table.board.invokers.get('ada')?.parkedUntil, null);
    table.at = AT + MINUTE;
    table.do(tick(table.board, table.now));
    assert.deepEqual(reasons(table, task), []);
    assert.ok(table.claim(worker));
  });

  test('another invoker pays while one is parked', () => {
    const table = parked(AT + MINUTE).invoker('ben', 5);
    table.post();
    const { run } = table.claim(table.worker('dev-default', { bringsModel: false }));
    assert.equal(table.run(run)?.invoker, 'ben');
  });

  test('an operator can resume a parked invoker early', () => {
    const table = parked(AT + MINUTE);
    table.do(resume(table.board, { kind: 'invoker', name: 'ada' }));
    table.post();
    assert.ok(table.claim(table.worker('dev-default', { bringsModel: false })));
  });

  test('parking an unknown invoker, or parking one until a time in the past, changes nothing', () => {
    const table = parked(AT + MINUTE);
    const setback = { failure: 'quota', until: AT, because: '' } as const;
    assert.deepEqual(
      parkInvoker(table.board, 'nobody', { ...setback, until: AT + 1 }, table.now).events,
      [],
    );
    assert.deepEqual(parkInvoker(table.board, 'ada', setback, table.now).events, []);
  });
});

function declined(status: number, headers: ProviderError['headers'] = {}): ProviderError {
  return { status, headers, kind: '', message: '' };
}

function parked(until: number): BoardFixture {
  const table = BoardFixture.usual().invoker('ada', 5);
  table.at = AT;
  table.do(tick(table.board, table.now));
  park(table, until);
  return table;
}

function park(table: BoardFixture, until: number): void {
  const setback = { failure: 'quota', until, because: 'answered 429' } as const;
  table.do(parkInvoker(table.board, 'ada', setback, table.now));
}

function parkings(table: BoardFixture): number {
  return table.events.filter(({ type }) => type === 'InvokerParked').length;
}

function reasons(table: BoardFixture, id: ReturnType<BoardFixture['post']>['task']) {
  const task = table.board.tasks.get(id) ?? assert.fail('no task');
  const thread = table.board.threads.get(task.thread) ?? assert.fail('no thread');
  return why(table.board, task, thread, { waiting: table.waiting, recruiting: () => null }).reasons;
}
