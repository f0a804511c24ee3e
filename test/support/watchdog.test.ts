import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Look, Watchdog } from './watchdog.ts';

const PATIENCE = { leastSeconds: 120, exitSeconds: 60, everyMs: 1_000 };
const QUIET: Look = {
  atMs: 0,
  cpuSeconds: 0,
  heard: 1,
  isOver: false,
  loadPerCore: 0.5,
  at: 'in a.test.ts: b',
};

describe('the watchdog', () => {
  it('the watchdog ends a suite without progress for ten times its usual CPU time', () => {
    assert.equal(stillFor(new Watchdog(30, PATIENCE), 299), undefined);
    assert.equal(
      stillFor(new Watchdog(30, PATIENCE), 301),
      'hangs: no progress for 300 s (adjusted for load), in a.test.ts: b',
    );
  });

  it('the watchdog allows a short suite two minutes, and an unmeasured one half an hour', () => {
    assert.equal(stillFor(new Watchdog(0.1, PATIENCE), 119), undefined);
    assert.match(stillFor(new Watchdog(0.1, PATIENCE), 121) ?? '', /hangs/);
    assert.equal(stillFor(new Watchdog(undefined, PATIENCE), 1_799), undefined);
    assert.match(stillFor(new Watchdog(undefined, PATIENCE), 1_801) ?? '', /hangs/);
  });

  it('the watchdog waits five times as long with five processes per core', () => {
    const busy = { loadPerCore: 5 };
    assert.equal(stillFor(new Watchdog(12, PATIENCE), 590, busy), undefined);
    assert.match(stillFor(new Watchdog(12, PATIENCE), 610, busy) ?? '', /hangs/);
  });

  it('the watchdog does not count time in which the machine slept', () => {
    const watchdog = new Watchdog(1, PATIENCE);
    watchdog.objection(QUIET);
    assert.equal(watchdog.objection({ ...QUIET, atMs: 3_600_000 }), undefined);
  });

  it('the watchdog starts again with every message', () => {
    const watchdog = new Watchdog(1, PATIENCE);
    assert.equal(stillFor(watchdog, 110), undefined);
    assert.equal(stillFor(watchdog, 110, { heard: 2 }), undefined);
  });

  it('the watchdog ends a suite that used ten times its usual CPU time, however busy the machine is', () => {
    const watchdog = new Watchdog(30, PATIENCE);
    assert.equal(watchdog.objection({ ...QUIET, cpuSeconds: 300, heard: 2 }), undefined);
    assert.equal(
      watchdog.objection({ ...QUIET, cpuSeconds: 300.1, heard: 3, loadPerCore: 9 }),
      'used 300.1 s of CPU time, more than its limit of 300 s, in a.test.ts: b',
    );
  });

  it('the watchdog ends a process that does not exit after its last test', () => {
    const over = { isOver: true };
    assert.equal(stillFor(new Watchdog(1, PATIENCE), 59, over), undefined);
    assert.match(stillFor(new Watchdog(1, PATIENCE), 61, over) ?? '', /a handle is still open/);
  });
});

/** Checks every second and returns the last objection. */
function stillFor(watchdog: Watchdog, seconds: number, look: Partial<Look> = {}) {
  let objection: string | undefined;
  for (let second = 0; second <= seconds; second += 1) {
    objection = watchdog.objection({ ...QUIET, ...look, atMs: second * 1_000 });
  }
  return objection;
}
