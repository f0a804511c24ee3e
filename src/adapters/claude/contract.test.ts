import {
  agentRunnerContract,
  type Scenario,
} from '../../../test/contracts/agent-runner.contract.ts';
import { withoutAgentSdk } from '../../../test/support/agent-sdk-part.ts';
import { createClaudeRunner } from './runner.ts';
import { startScriptedModel } from './scripted/server.ts';

const STEPS: Readonly<Record<Scenario, string>> = {
  reports: `
    - use: { tool: Bash, input: { command: env > env.txt } }
    - use: { tool: mcp__hall__report, input: { summary: It is fixed. } }`,
  'says nothing': '[]',
  'reports junk': `
    - use: { tool: mcp__hall__report, input: { summery: 1 } }`,
  dies: `
    - use: { tool: Bash, input: { command: kill -KILL $CLAUDE_PID } }`,
  'never ends': `
    - use:
        tool: Bash
        input:
          command: setsid sh -c "while true; do echo x >> alive.txt; sleep 0.05; done" & while true; do sleep 1; done`,
  'says much': `
    - say: ${'x'.repeat(100_000)}`,
};

agentRunnerContract(
  'the Agent SDK',
  async (scenario) => {
    const script = `scenes:\n  - name: ${scenario}\n    steps: ${STEPS[scenario]}`;
    const model = await startScriptedModel({ script });
    return {
      runner: createClaudeRunner(),
      model: model.url,
      [Symbol.asyncDispose]: () => model.close(),
    };
  },
  withoutAgentSdk(),
);
