import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { openSessions } from './sessions.ts';

const DAY = 24 * 3600_000;

function session(id: string) {
  return { id, history: `what ${id} said` };
}

describe('sessions on disk', () => {
  it('a stored session outlives its process', async () => {
    using folder = tempFolder();
    await openSessions(folder.path).put('dev:shop:1', session('one'));
    assert.deepEqual(await openSessions(folder.path).get('dev:shop:1'), session('one'));
  });

  it('a sweep removes a session that was not resumed within its retention', async () => {
    using folder = tempFolder();
    const sessions = openSessions(folder.path);
    await sessions.put('dev:shop:1', session('one'));
    const open = ['dev:shop:1'];
    const inDays = (days: number) => Date.now() + days * DAY;
    await sessions.sweep({ before: inDays(29 - 30), now: inDays(29), open });
    assert.deepEqual(await sessions.get('dev:shop:1'), session('one'));
    await sessions.sweep({ before: inDays(31 - 30), now: inDays(31), open });
    assert.equal(await sessions.get('dev:shop:1'), null);
  });

  it('a sweep removes the session of a closed thread, but not one newer than the sweep', async () => {
    using folder = tempFolder();
    const sessions = openSessions(folder.path);
    await sessions.put('dev:shop:1', session('one'));
    await sessions.put('dev:shop:2', session('two'));
    const later = Date.now() + 1;
    await sessions.sweep({ before: 0, now: later - DAY, open: ['dev:shop:2'] });
    assert.deepEqual(await sessions.get('dev:shop:1'), session('one'), 'it is newer than the look');
    await sessions.sweep({ before: 0, now: later + DAY, open: ['dev:shop:2'] });
    assert.equal(await sessions.get('dev:shop:1'), null);
    assert.deepEqual(await sessions.get('dev:shop:2'), session('two'));
  });
});
