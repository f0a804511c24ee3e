import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { buildOrSayWhy, KINDS } from '../support/cell-kinds.ts';
import { testIn } from '../support/tier.ts';
import { WAITS, WorkersFixture, whyNoWorkers } from '../support/worker-fixture.ts';

const BOMB = 'for i in $(seq 400); do sleep 300 & done; wait';
const DONE = `echo '{"outcome":"completed","summary":"Done."}' > "$GUILDHALL_RESULT"`;

/** An agent that runs a command if its task says so; otherwise it waits until it is released. */
function beside(command: string): string {
  return `scenes:
  - name: greedy
    when: { prompt: "Be greedy" }
    steps:
      - use: { tool: Bash, input: { command: ${JSON.stringify(command)}, timeout: 600000 } }
      - use: { tool: mcp__hall__report, input: { outcome: completed, summary: It was let. } }
      - end
  - name: modest
    steps:
      - use: { tool: Bash, input: { command: "echo added > a.txt; git add a.txt; git commit -qm Add" } }
      - use: { tool: Bash, input: { command: "${WAITS}" } }
      - use: { tool: mcp__hall__report, input: { outcome: pr_created, summary: Done. } }
      - end`;
}

interface Limit {
  readonly name: string;
  /** More than the agent's own program needs. */
  readonly limits: object;
  readonly script: string;
  readonly type: object;
}

const LIMITS: readonly Limit[] = [
  {
    name: 'memory',
    limits: { memory_mb: 900 },
    script: beside('yes | tail -n 99999999999'),
    type: {},
  },
  {
    name: 'pids',
    limits: { pids: 64 },
    script: '- end',
    type: {
      command: ['sh', '-c', `if grep -q 'Be greedy'; then ${BOMB}; else ${WAITS}; ${DONE}; fi`],
    },
  },
];

async function gapsHere(): Promise<readonly string[]> {
  const built = await buildOrSayWhy(KINDS.sandbox);
  return 'missing' in built ? [] : built.gaps;
}

const isSlowed = !(await gapsHere()).some((gap) => /cpus/.test(gap));

describe('the limits of a run', { skip: await whyNoWorkers(), concurrency: 2 }, () => {
  const it = testIn('test');

  for (const { name, limits, script, type } of LIMITS) {
    for (const where of ['type', 'project'] as const) {
      testIn('full')(
        `a run that exceeds the ${name} limit of its ${where} fails with that reason, and its neighbour continues`,
        async () => {
          await using stage = await WorkersFixture.open({
            script,
            type: { ...type, ...(where === 'type' && { limits }) },
            project: where === 'project' ? { limits } : {},
          });
          const modest = await stage.post();
          await stage.waitingAgent();
          const greedy = await stage.post({ title: 'Be greedy' });
          const { outcome, summary } = await stage.reaches(greedy, 'failed');
          assert.equal(outcome, 'failed');
          assert.match(summary, new RegExp(`(agent's program|command) reached its ${name} limit`));
          assert.equal((await stage.endings(greedy)).length, 1, 'it was not tried again');
          assert.equal((await stage.fixture.task(modest)).state, 'running');
          stage.letAgentsGo();
          await stage.reaches(modest, 'completed');
        },
      );
    }
  }

  it('an agent cannot reach hosts that are not listed, and the transcript names them', async () => {
    await using stage = await WorkersFixture.open({
      script: '- end',
      project: { network: ['listed.invalid'] },
      type: { command: ['sh', '-c', `node -e '${KNOCK}'`] },
    });
    const id = await stage.post();
    await stage.reaches(id, 'completed');
    const transcript = await stage.transcript(id);
    assert.match(transcript, /network: denied other\.invalid:443 \(.+\)/);
    assert.match(transcript, /answered 403/);
  });
});

describe('the limits of a run', { skip: await whyNoWorkers(), concurrency: 2 }, () => {
  const it = testIn('full');

  it('a run with a cpu limit gets only its share and completes', {
    skip: !isSlowed && 'the cpus limit is not enforced on this machine',
  }, async () => {
    await using stage = await WorkersFixture.open({
      script: '- end',
      type: { limits: { cpu: 0.25 }, command: ['sh', '-c', `node -e '${BUSY}'`] },
    });
    const id = await stage.post();
    await stage.reaches(id, 'completed');
    const share = Number(/share (\d\.\d+)/.exec(await stage.transcript(id))?.[1]);
    assert.ok(share < 0.5, `it had ${share} of a processor`);
  });
});

const REPORT = `require("node:fs").writeFileSync(process.env.GUILDHALL_RESULT,
  JSON.stringify({ outcome: "completed", summary: "Done." }));`;

/** Works for 1.5 s of wall time and prints the share of a CPU that it had. */
const BUSY = `const end = performance.now() + 1500;
  const before = process.cpuUsage();
  while (performance.now() < end);
  const { user, system } = process.cpuUsage(before);
  console.log("share " + (user + system) / 1.5e6);
  ${REPORT}`;

const KNOCK = `const { hostname, port } = new URL(process.env.HTTPS_PROXY);
  const asking = require("node:http").request({ hostname, port, method: "CONNECT", path: "other.invalid:443" });
  const over = (text) => { console.log(text); ${REPORT} process.exit(0); };
  asking.on("connect", (answer) => over("answered " + answer.statusCode));
  asking.on("error", (error) => over("failed " + error.message));
  asking.end();`;
