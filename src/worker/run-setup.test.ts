import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openAgentFixture } from '../../test/support/agent-fixture.ts';
import type { Brief } from '../domain/brief.ts';
import { LeaseLost } from '../ports/hall-client.ts';
import type { WorkerNeeds } from './needs.ts';
import { runSetup } from './run-setup.ts';
import type { Transcript } from './transcript.ts';

test('P3: a run that was taken away while its work tree was made begins no command', async () => {
  await using room = await openAgentFixture();
  const setting = {
    brief: { repo: null, cell: { copy: [], setup: ['touch began'] } } as unknown as Brief,
    cell: room.cell,
    transcript: { append: () => undefined } as unknown as Transcript,
  };
  const needs = {} as WorkerNeeds;
  const stop = AbortSignal.abort(new LeaseLost('it no longer belongs to this worker'));
  await assert.rejects(runSetup(needs, { ...setting, stop }), LeaseLost);
  const began = join(room.cell.paths.work, 'began');
  assert.equal(existsSync(began), false);

  const goesOn = new AbortController().signal;
  assert.equal(await runSetup(needs, { ...setting, stop: goesOn }), undefined);
  assert.equal(existsSync(began), true);
});
