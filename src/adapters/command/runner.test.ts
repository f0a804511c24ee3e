import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  agentRunnerContract,
  type Scenario,
} from '../../../test/contracts/agent-runner.contract.ts';
import {
  jobIn,
  NOTE,
  openAgentFixture,
  REPORT,
  recordCallbacks,
} from '../../../test/support/agent-fixture.ts';
import { createCommandRunner } from './runner.ts';

const SCRIPTS: Readonly<Record<Scenario, string>> = {
  reports: 'env > env.txt; echo \'{"summary":"It is fixed."}\' > "$GUILDHALL_RESULT"',
  'says nothing': 'true',
  'reports junk': 'echo \'{"summery":1}\' > "$GUILDHALL_RESULT"',
  dies: 'kill -KILL $$',
  'never ends':
    'setsid sh -c "while true; do echo x >> alive.txt; sleep 0.05; done" & while true; do sleep 1; done',
  'says much': 'head -c 100000 /dev/zero | tr "\\0" x',
};

agentRunnerContract('a command', async (scenario) => ({
  runner: commandOf(SCRIPTS[scenario]),
  model: null,
  [Symbol.asyncDispose]: async () => undefined,
}));

describe('a command', () => {
  it('a command reads its prompt from stdin, the system prompt first', async () => {
    await using fixture = await openAgentFixture();
    const callbacks = recordCallbacks();
    await commandOf('cat').run(jobIn(fixture.cell), callbacks);
    const output = callbacks.transcript.map(({ text }) => text).join('\n');
    assert.match(output, /^You belong to a test\.\nFix the bug\.$/);
  });

  it('a command without a model gets neither the gateway nor a token', async () => {
    await using fixture = await openAgentFixture('http://127.0.0.1:9');
    for (const [modelToken, count] of [
      ['token', 2],
      [null, 0],
    ] as const) {
      const callbacks = recordCallbacks();
      await commandOf('env').run({ ...jobIn(fixture.cell), modelToken }, callbacks);
      const found = callbacks.transcript.filter(({ text }) => text.startsWith('ANTHROPIC_'));
      assert.equal(found.length, count);
    }
  });

  it('a command agent may use several hall tools in order, until one of them ends the run', async () => {
    await using fixture = await openAgentFixture();
    const callbacks = recordCallbacks();
    const uses = [
      { tool: 'note', input: { text: 'half done' } },
      { tool: 'report', input: { summary: 'done' } },
      { tool: 'note', input: { text: 'too late' } },
    ];
    const script = `echo '${JSON.stringify({ uses })}' > "$GUILDHALL_RESULT"`;
    const end = await commandOf(script).run(jobIn(fixture.cell), callbacks);
    assert.equal(end.how, 'stopped');
    assert.deepEqual(callbacks.used, uses.slice(0, 2));
  });

  it('a command result with a question asks a person, and one with a reason code rejects the task', async () => {
    const named = (name: string) => ({ ...REPORT, name });
    const tools = [named('ask'), named('reject'), NOTE];
    for (const [result, tool] of [
      ['{"question":"Which one?"}', 'ask'],
      ['{"reason_code":"unsafe","message":"no"}', 'reject'],
    ]) {
      await using fixture = await openAgentFixture();
      const callbacks = recordCallbacks();
      const script = `echo '${result}' > "$GUILDHALL_RESULT"`;
      await commandOf(script).run(jobIn(fixture.cell, { tools }), callbacks);
      assert.deepEqual(
        callbacks.used.map((use) => use.tool),
        [tool],
      );
    }
  });

  it('the exit code of a command agent gives the kind of failure, and its stderr gives the reason', async () => {
    for (const [code, why] of [
      [1, 'crashed'],
      [69, 'overloaded'],
      [75, 'quota'],
      [77, 'auth'],
    ] as const) {
      await using fixture = await openAgentFixture();
      const end = await commandOf(`echo sorry >&2; exit ${code}`).run(
        jobIn(fixture.cell),
        recordCallbacks(),
      );
      assert.equal(end.how === 'failed' && end.why, why);
      assert.match(JSON.stringify(end), new RegExp(`exit code ${code}: sorry`));
    }
  });

  it('a command fails when its result is not JSON, too large, malformed or uses an unknown tool', async () => {
    for (const [script, because] of [
      ['echo no > "$GUILDHALL_RESULT"', /not a JSON object/],
      ['head -c 5000000 /dev/zero > "$GUILDHALL_RESULT"', /larger than 4 MiB/],
      [
        'echo \'{"uses":[{"tool":"merge","input":{}}]}\' > "$GUILDHALL_RESULT"',
        /merge, which is not/,
      ],
      ['echo \'{"uses":[1]}\' > "$GUILDHALL_RESULT"', /must be a list of/],
    ] as const) {
      await using fixture = await openAgentFixture();
      const end = await commandOf(script).run(jobIn(fixture.cell), recordCallbacks());
      assert.match(JSON.stringify(end), because);
    }
  });
});

function commandOf(script: string) {
  return createCommandRunner({ name: 'shell', command: ['sh', '-c', script] });
}
