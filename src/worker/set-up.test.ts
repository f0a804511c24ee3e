import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openRoom } from '../../test/support/agent-room.ts';
import type { Brief } from '../domain/brief.ts';
import { LeaseLost } from '../ports/desk.ts';
import type { WorkerNeeds } from './needs.ts';
import { setUp } from './set-up.ts';
import type { Transcript } from './transcript.ts';

test('P3: a run that was taken away while its work tree was made begins no command', async () => {
  await using room = await openRoom();
  const setting = {
    brief: { repo: null, cell: { copy: [], setup: ['touch began'] } } as unknown as Brief,
    cell: room.cell,
    transcript: { say: () => undefined } as unknown as Transcript,
  };
  const needs = {} as WorkerNeeds;
  const stop = AbortSignal.abort(new LeaseLost('it is not ours any more'));
  await assert.rejects(setUp(needs, { ...setting, stop }), LeaseLost);
  const began = join(room.cell.paths.work, 'began');
  assert.equal(existsSync(began), false);

  const goesOn = new AbortController().signal;
  assert.equal(await setUp(needs, { ...setting, stop: goesOn }), undefined);
  assert.equal(existsSync(began), true);
});
