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

test('P3: a run whose lease was lost while its work tree was prepared starts no setup command', async () => {
  await using fixture = await openAgentFixture();
  const setting = {
    brief: { repo: null, cell: { copy: [], setup: ['touch began'] } } as unknown as Brief,
    cell: fixture.cell,
    env: {},
    transcript: { append: () => undefined } as unknown as Transcript,
  };
  const needs = {} as WorkerNeeds;
  const stop = AbortSignal.abort(new LeaseLost('it no longer belongs to this worker'));
  await assert.rejects(runSetup(needs, { ...setting, stop }), LeaseLost);
  const began = join(fixture.cell.paths.work, 'began');
  assert.equal(existsSync(began), false);

  const running = new AbortController().signal;
  assert.equal(await runSetup(needs, { ...setting, stop: running }), undefined);
  assert.equal(existsSync(began), true);
});
