import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type AgentFixture, openAgentFixture } from '../../../test/support/agent-fixture.ts';
import { readSession, writeSession } from './session-file.ts';

const ID = '11111111-2222-4333-8444-555555555555';
const SESSION = { id: ID, history: '{"type":"user"}\n' };

describe('P3: the session file of an agent', () => {
  it('a session file is read back as it was written', async () => {
    await using fixture = await openAgentFixture();
    assert.equal(await writeSession(fixture.cell, SESSION), true);
    assert.deepEqual(await readSession(fixture.cell, ID), SESSION);
  });

  it('a pipe that the agent left in place of its session file is not read', async () => {
    await using fixture = await openAgentFixture();
    leavePipe(fixture, 'elsewhere');
    assert.equal(await readSession(fixture.cell, ID), null);
  });

  it('a session file replaces a pipe that the agent left', async () => {
    await using fixture = await openAgentFixture();
    const pipe = leavePipe(fixture, fixture.cell.paths.work.replace(/[^a-zA-Z0-9]/g, '-'));
    assert.equal(await writeSession(fixture.cell, SESSION), true);
    assert.equal(readFileSync(pipe, 'utf8'), SESSION.history);
  });
});

function leavePipe({ cell }: AgentFixture, project: string): string {
  const folder = join(cell.paths.home, '.claude', 'projects', project);
  mkdirSync(folder, { recursive: true });
  const pipe = join(folder, `${ID}.jsonl`);
  execFileSync('mkfifo', [pipe]);
  return pipe;
}
