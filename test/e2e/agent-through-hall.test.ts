import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'node:test';
import { createClaudeRunner } from '../../src/adapters/claude/runner.ts';
import {
  type ScriptedModel,
  startScriptedModel,
} from '../../src/adapters/claude/scripted/server.ts';
import { type CellGateway, openCellGateway } from '../../src/adapters/gateway/cell-gateway.ts';
import {
  type AgentFixture,
  jobIn,
  openAgentFixtureBehind,
  recordCallbacks,
} from '../support/agent-fixture.ts';
import { withoutAgentSdk } from '../support/agent-sdk-part.ts';
import { type Claim, HallFixture, until, type WorkerFixture } from '../support/hall-fixture.ts';
import { HallProcess } from '../support/hall-process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { testIn } from '../support/tier.ts';

/** Everything is real except the model: program, cell, socket, hall process, provider. */
// Unique to this process, because the environments of all other processes are searched for it.
const CANARY = `sk-ant-api03-canary-${process.pid}-4471e0`;
const runner = createClaudeRunner();

describe('an agent that calls its model through the hall', { skip: withoutAgentSdk() }, () => {
  const it = testIn('test');

  it('X-018a A17: an agent works, is metered, and finds no credential anywhere', async () => {
    await using stage = await setUp(`
      - usage: { input: 100, output: 50, cache_read: 0, cache_write: 0 }
      - use:
          - { tool: Bash, input: { command: "env; cat /proc/self/environ | tr '\\\\0' '\\\\n'; cat /proc/$PPID/environ | tr '\\\\0' '\\\\n'; cat /proc/$CLAUDE_PID/environ | tr '\\\\0' '\\\\n'" } }
          - { tool: Grep, input: { pattern: canary, path: /proc/self } }
          - { tool: Read, input: { file_path: /proc/self/environ } }
      - usage: { input: 100, output: 50, cache_read: 0, cache_write: 0 }
      - use: { tool: mcp__hall__report, input: { summary: looked everywhere } }`);
    const { fixture, worker, claim, room, gateway, model, hall } = stage;
    const around = recordCallbacks();
    const seen: string[] = [];
    const looking = setInterval(() => seen.push(environments(hall.pid)), 50);
    const end = await runner.run(jobIn(room.cell, { modelToken: gateway.token }), around);
    clearInterval(looking);

    assert.equal(end.how, 'stopped', JSON.stringify(end));
    assert.deepEqual(around.used, [{ tool: 'report', input: { summary: 'looked everywhere' } }]);
    assert.equal(gateway.modelCalls.calls, 2);
    assert.equal(model.requests[0]?.headers['x-api-key'], CANARY);

    const { usage } = await fixture.get(`/v1/runs/${claim.run}`);
    assert.deepEqual(usage, { input_tokens: 200, output_tokens: 100, turns: 2, cost_usd: 0.0021 });
    const { invokers } = await fixture.get('/v1/invokers');
    assert.deepEqual([invokers[0].used, invokers[0].reserved], [1, 0]);
    await worker.complete(claim);

    const events = JSON.stringify(await fixture.get('/v1/events?limit=1000'));
    const places = {
      transcript: JSON.stringify(around.transcript),
      session: end.session?.history ?? '',
      environments: seen.join('\n'),
      events,
      log: hall.output,
      home: contentOf(room.cell.paths.home),
      data: contentOf(join(hall.folder, 'data')),
    };
    for (const [place, text] of Object.entries(places)) {
      assert.ok(text.length > 0, `${place} was looked at`);
      assert.ok(!text.includes(CANARY), `the credential is in the ${place}`);
      assert.ok(!text.includes(worker.token), `the worker's token is in the ${place}`);
    }
  });

  it('an agent continues when its hall is killed during an answer and restarted', async () => {
    await using stage = await setUp(`
      - pace: 30ms
      - say: ${'A long answer of many pieces. '.repeat(20)}
      - use: { tool: Bash, input: { command: echo once >> made.txt } }
      - use: { tool: mcp__hall__report, input: { summary: done } }`);
    const { fixture, claim, room, gateway, model, hall } = stage;
    const around = recordCallbacks();
    const running = runner.run(jobIn(room.cell, { modelToken: gateway.token }), around);
    await until('the model is asked', () => model.requests.length > 0);
    await new Promise((later) => setTimeout(later, 200));
    await hall.stop('SIGKILL');
    await hall.start();
    const end = await running;
    assert.equal(end.how, 'stopped', JSON.stringify(end));
    assert.equal(readFileSync(join(room.cell.paths.work, 'made.txt'), 'utf8'), 'once\n');
    assert.equal(around.used.length, 1);
    const { usage } = await fixture.get(`/v1/runs/${claim.run}`);
    assert.ok(usage.turns >= 2 && usage.cost_usd > 0, JSON.stringify(usage));
  });
});

describe('an agent that calls its model through the hall', { skip: withoutAgentSdk() }, () => {
  const it = testIn('full');

  it('an agent is stopped when the model calls of its run reach the budget', async () => {
    const steps = `
      - repeat: 100
        steps:
          - usage: { input: 1, output: 500, cache_read: 0, cache_write: 0 }
          - use: { tool: Bash, input: { command: "true" } }`;
    await using stage = await setUp(steps, { budget_usd: 0.01 });
    const { room, gateway, model } = stage;
    const end = await runner.run(
      jobIn(room.cell, { modelToken: gateway.token, maxTurns: 50 }),
      recordCallbacks(),
    );
    assert.equal(end.how, 'failed', JSON.stringify(end));
    assert.equal(gateway.modelCalls.lastFailure, 'ceiling');
    assert.equal(model.requests.length, 2, 'two calls of 0.75 cents reach a ceiling of one');
  });

  it('an agent is stopped when a person cancels its task', async () => {
    await using stage = await setUp(`
      - use: { tool: Bash, input: { command: "true" } }
      - say: Still here.`);
    const { fixture, claim, room, gateway } = stage;
    const around = recordCallbacks({
      may: async () => {
        await fixture.post(`/v1/tasks/${claim.task.id}/cancel`);
        return { may: true };
      },
    });
    stage.onStale(() => around.abort());
    const end = await runner.run(jobIn(room.cell, { modelToken: gateway.token }), around);
    assert.equal(end.how, 'aborted', JSON.stringify(end));
    assert.equal(gateway.modelCalls.lastFailure, 'stale_fence');
  });
});

interface Stage extends AsyncDisposable {
  readonly hall: HallProcess;
  readonly fixture: HallFixture;
  readonly worker: WorkerFixture;
  readonly claim: Claim;
  readonly model: ScriptedModel;
  readonly gateway: CellGateway;
  readonly room: AgentFixture;
  onStale(call: () => void): void;
}

async function setUp(steps: string, settings: object = {}): Promise<Stage> {
  const script = `scenes:\n  - name: only\n    steps:\n      ${steps.trimStart()}`;
  const model = await startScriptedModel({ script });
  const hall = await HallProcess.start({
    invokers: [{ handle: 'ada', credential: '$CANARY_KEY', url: model.url }],
    env: { CANARY_KEY: CANARY },
  });
  const fixture = new HallFixture(hall);
  // A new hall opens its first quota window at its first tick, which resets what was spent before.
  await until('the week is open', async () => {
    const { events } = await fixture.get('/v1/events?type=QuotaWindowOpened');
    return events.length > 0;
  });
  const shop = await fixture.project(settings);
  const { worker, claim } = await shop.held({}, { brings_model: false });
  const folder = tempFolder();
  let stale: () => void = () => undefined;
  const gateway = await openCellGateway({
    socket: folder.file('gateway.sock'),
    hall: { url: hall.url, token: worker.token },
    run: claim.run,
    fence: claim.fence,
    onStale: () => stale(),
  });
  const room = await openAgentFixtureBehind(gateway.socket);
  return {
    ...{ hall, fixture, worker, claim, model, gateway, room },
    onStale(call) {
      stale = call;
    },
    async [Symbol.asyncDispose]() {
      await room[Symbol.asyncDispose]();
      await gateway[Symbol.asyncDispose]();
      fixture[Symbol.dispose]();
      await hall[Symbol.asyncDispose]();
      await model.close();
      folder[Symbol.dispose]();
    },
  };
}

/**
 * The environments of all processes on this machine except the hall's, which may have the credential.
 * A process that the hall starts has the hall's command until it executes its own program.
 */
function environments(hall: number): string {
  const own = factOf(String(hall), 'cmdline');
  return (
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && Number(name) !== hall)
      // The command first: a process that executes another program in between has that program's environment.
      .map((pid) => ({ command: factOf(pid, 'cmdline'), environment: factOf(pid, 'environ') }))
      .filter(({ command }) => command !== own)
      .map(({ environment }) => environment)
      .join('\n')
  );
}

function factOf(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  }
}

/** Everything in a folder as text, except the operator's token. */
function contentOf(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile())
    .map((path) => readFileSync(path, 'latin1'))
    .join('\n');
}
