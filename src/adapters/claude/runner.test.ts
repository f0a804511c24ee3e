import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { jobIn, openRoom, witness } from '../../../test/support/agent-room.ts';
import { withoutAgentSdk } from '../../../test/support/agent-sdk-part.ts';
import { createClaudeRunner } from './runner.ts';
import { startScriptedModel } from './scripted/server.ts';

describe('an agent on the Agent SDK', { skip: withoutAgentSdk() }, () => {
  it('GH-052: works with its tools in the cell and reports through a tool of the hall', async () => {
    await using model = await startScriptedModel({
      script: `
        scenes:
          - name: fix
            steps:
              - think: Where is it?
              - say: I look around.
              - use: { tool: Bash, input: { command: "echo fixed > made.txt && pwd" } }
              - use: { tool: mcp__hall__report, input: { outcome: done, summary: It is fixed. } }`,
    });
    await using room = await openRoom(model.url);
    const around = witness();
    const end = await createClaudeRunner().run(jobIn(room.cell), around);

    assert.equal(end.how, 'stopped');
    assert.equal(end.turns, 2);
    assert.equal(readFileSync(join(room.cell.paths.work, 'made.txt'), 'utf8'), 'fixed\n');
    assert.deepEqual(
      around.asked.map(({ tool, input }) => [tool, input['command']]),
      [['Bash', 'echo fixed > made.txt && pwd']],
    );
    assert.deepEqual(around.used, [
      { tool: 'report', input: { outcome: 'done', summary: 'It is fixed.' } },
    ]);
    assert.deepEqual(
      around.transcript.map(({ kind }) => kind),
      ['thinking', 'agent', 'tool_call', 'tool_result', 'tool_call', 'tool_result'],
    );
    assert.equal(model.seen.length, 2, 'the model is not asked again after the report');
  });
});
