import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gitAs } from '../support/git-fixture.ts';
import { until } from '../support/hall-fixture.ts';
import { casesInTier, testIn } from '../support/tier.ts';
import { adding, WorkersFixture, whyNoWorkers } from '../support/worker-fixture.ts';

/** A model that refuses to resume the session. */
const REFUSED = `
      - fail: { status: 400, type: invalid_request_error, message: this history is none, times: always }`;

describe('workers that the hall starts', { skip: await whyNoWorkers(), concurrency: 2 }, () => {
  const it = testIn('test');

  it('GH-T02 GH-T03 GH-028a GH-028c HA-065a HA-068a X-006a X-012a: a task is claimed, done and pushed once, with nothing left behind', async () => {
    await using stage = await WorkersFixture.open({ script: adding('a.txt') });
    const id = await stage.post();
    const { summary, outcome } = await stage.reaches(id, 'completed');
    assert.deepEqual([outcome, summary], ['pr_created', 'Added a.txt.']);

    const { thread, runs } = await stage.fixture.taskDetail(id);
    assert.equal(thread.pr.state, 'open');
    assert.match(thread.branch, /^hall\/dev\/issue-\d+$/);
    assert.deepEqual(stage.pushed(), [{ branch: thread.branch, updates: 1 }]);
    assert.equal(stage.fileOn(thread.branch, 'a.txt'), 'added');
    assert.equal(runs.length, 1);
    const types = (await stage.fixture.events(id)).map(({ type }) => type);
    const steps = ['TaskPosted', 'RunClaimed', 'RunStarted', 'RunEnded'];
    assert.deepEqual(
      types.filter((type) => steps.includes(type)),
      steps,
    );
    assert.match(await stage.transcript(id), /tool_call: Bash .*a\.txt[\s\S]*report/);
    assert.deepEqual(await stage.whatIsLeft(), []);
  });

  const answers = [
    { how: 'resumes its session', resumed: answered('resumed'), said: 'resumed' },
    { how: 'starts a new session if the old one is lost', resumed: REFUSED, said: 'afresh' },
  ];
  for (const { how, resumed, said } of casesInTier(answers, ({ said }) => said === 'resumed')) {
    test(`CH-032c: an agent whose question is answered ${how}`, async () => {
      await using stage = await WorkersFixture.open({
        script: `scenes:
  - name: resumed
    when: { prompt: "in blue, please", turns: { at_least: 1 } }
    steps: ${resumed}
  - name: fresh
    when: { prompt: "in blue, please", turns: 0 }
    steps: ${answered('afresh')}
  - name: first
    steps:
      - use: { tool: Bash, input: { command: "echo begun > a.txt; git add .; git commit -qm Begin" } }
      - use: { tool: mcp__hall__ask, input: { question: "Which colour?" } }
      - end`,
      });
      const id = await stage.post();
      await stage.reaches(id, 'awaiting_input');
      const [{ branch = '' } = {}] = stage.pushed();
      assert.equal(stage.fileOn(branch, 'a.txt'), 'begun');

      await stage.fixture.post(`/v1/tasks/${id}/answer`, { text: 'in blue, please' });
      const { summary } = await stage.reaches(id, 'completed');
      assert.equal(summary, said);
      assert.equal(stage.fileOn(branch, 'b.txt'), 'blue');
      assert.equal(stage.fileOn(branch, 'a.txt'), 'begun');
      assert.deepEqual(stage.pushed(), [{ branch, updates: 2 }]);
      const warned = /could not be resumed; starting a new one/g;
      const warnings = (await stage.transcript(id)).match(warned) ?? [];
      assert.equal(warnings.length, said === 'afresh' ? 1 : 0);
      assert.deepEqual(await stage.whatIsLeft(), []);
    });
  }
});

describe('workers that the hall starts', { skip: await whyNoWorkers(), concurrency: 2 }, () => {
  const it = testIn('full');

  it('a model key that the provider refuses parks its invoker and defers the task', async () => {
    const refused = 'status: 401, type: authentication_error, message: bad key, times: always';
    await using stage = await WorkersFixture.open({ script: `- fail: { ${refused} }` });
    const id = await stage.post();
    await stage.reaches(id, 'deferred');
    const { invokers } = await stage.fixture.get('/v1/invokers');
    const [{ parked_until, parked_because, handle }] = invokers;
    assert.match(parked_because, /^the provider answered 401/);
    const { components } = await stage.fixture.get('/v1/health');
    const { says } = components.find(({ name }: { name: string }) => name === 'invokers');
    assert.match(says, /^0 of 1 can pay; \S+ is parked until \S+Z: the provider answered 401/);
    const rest = Date.parse(parked_until) - Date.now();
    assert.equal(rest > 10 * 60_000 && rest < 15 * 60_000, true, parked_until);

    await stage.fixture.post(`/v1/invokers/${handle}/resume`);
    await stage.fixture.post(`/v1/tasks/${id}/retry`);
    const isTwice = async () => (await stage.endings(id)).length === 2;
    await until('it was tried again', isTwice);
    assert.equal((await stage.fixture.task(id)).state, 'deferred');
  });

  it('a check with a missing command hands the thread over to a person without a retry', async () => {
    await using stage = await WorkersFixture.open({
      script: adding('a.txt'),
      project: { checks: [{ name: 'tests', run: 'no-such-program --now' }] },
    });
    const id = await stage.post();
    const { thread } = await stage.reaches(id, 'completed');
    const { because } = await until('the thread is handed over', async () => {
      const whole = await stage.fixture.get(`/v1/threads/${thread}`);
      return whole.thread.handed_over ?? false;
    });
    assert.match(because, /^the command of tests cannot run in the cell: no-such-program --now\n/);
    assert.match(because, /no-such-program: command not found/);
    const whole = await stage.fixture.get(`/v1/threads/${thread}`);
    assert.deepEqual([whole.tasks.length, whole.thread.ci_retries], [1, 0]);
  });

  it('files that the setup leaves untracked are not in the branch of the agent', async () => {
    await using stage = await WorkersFixture.open({
      script: `
      - use: { tool: Bash, input: { command: "test -f built.txt && echo added > a.txt && git add --all && git commit -qm Add" } }
      - use: { tool: Bash, input: { command: "echo more > b.txt" } }
      - use: { tool: mcp__hall__report, input: { outcome: pr_created, summary: Added. } }
      - end`,
      project: { setup: ['echo built > built.txt'] },
    });
    const id = await stage.post();
    const { thread } = await stage.reaches(id, 'completed');
    const { branch } = (await stage.fixture.get(`/v1/threads/${thread}`)).thread;
    const names = gitAs(stage.upstream, 'diff', '--name-only', `main...${branch}`);
    assert.deepEqual(names.split('\n'), ['a.txt', 'b.txt']);
  });

  it('GH-T04 GH-080a HA-068a: a task that its agent rejects is rejected with the reasons and not retried', async () => {
    const rejection = {
      reason_code: 'underspecified',
      message: 'Which line?',
      missing: ['the text of the line'],
      questions: ['Where does it go?'],
      suggested_size: 'S',
    };
    await using stage = await WorkersFixture.open({
      script: `
      - use: { tool: Bash, input: { command: "echo begun > begun.txt; git add .; git commit -qm Begin" } }
      - use: { tool: mcp__hall__reject, input: ${JSON.stringify(rejection)} }
      - end`,
    });
    const id = await stage.post();
    const task = await stage.reaches(id, 'rejected');
    assert.deepEqual(task.rejection, rejection);
    assert.deepEqual(await stage.whatIsLeft(), []);
    assert.deepEqual(stage.pushed(), []);
    assert.equal((await stage.endings(id)).length, 1, 'it was not tried again');
    assert.equal((await stage.fixture.task(id)).state, 'rejected');
  });
});

function answered(summary: string): string {
  return `
      - use: { tool: Bash, input: { command: "cat a.txt && echo blue > b.txt && git add . && git commit -qm 'Make it blue'" } }
      - use: { tool: mcp__hall__report, input: { outcome: completed, summary: ${summary} } }
      - end`;
}
