import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../support/hall-fixture.ts';
import { casesInTier, testIn } from '../support/tier.ts';
import { adding, type Hold, WorkersFixture, whyNoWorkers } from '../support/worker-fixture.ts';

const WORKS = 'while its agent works';
const PUSHED = 'between push and report';

/** A step of a run at which a test can hold it. */
interface Moment {
  readonly name: string;
  /** What must be held before the run starts. */
  readonly hold?: Hold;
  arrive(stage: WorkersFixture): Promise<void>;
  leave(stage: WorkersFixture): void;
}

const MOMENTS: readonly Moment[] = [
  heldAt('before its cell is made', 'before-fetch'),
  {
    name: WORKS,
    arrive: async (stage) => void (await stage.waitingAgent()),
    leave: (stage) => stage.letAgentsGo(),
  },
  heldAt('between harvest and push', 'before-push'),
  heldAt(PUSHED, 'after-push'),
];

function heldAt(name: string, where: Hold): Moment {
  return {
    name,
    hold: where,
    async arrive(stage) {
      stage.letAgentsGo();
      await stage.held(where);
    },
    leave: (stage) => stage.letGo(where),
  };
}

async function openAt({ hold, arrive }: Moment): Promise<{ stage: WorkersFixture; id: string }> {
  const stage = await WorkersFixture.open({ script: adding('a.txt', { waits: true }) });
  if (hold) stage.hold(hold);
  const id = await stage.post();
  await arrive(stage);
  return { stage, id };
}

async function endsOnce(stage: WorkersFixture, id: string): Promise<void> {
  await stage.reaches(id, 'completed');
  const endings = await stage.endings(id);
  assert.equal(endings.filter(({ how }) => how === 'completed').length, 1);
  const [pushed, ...others] = stage.pushed();
  assert.deepEqual(others, []);
  assert.equal(pushed?.updates, 1, 'the branch was pushed once');
  assert.equal(stage.fileOn(pushed?.branch ?? '', 'a.txt'), 'added');
  const { thread } = await stage.fixture.taskDetail(id);
  assert.equal(thread.pr?.state, 'open');
  assert.deepEqual(await stage.whatIsLeft(), []);
}

describe('a run that is interrupted', { skip: await whyNoWorkers(), concurrency: 3 }, () => {
  const it = testIn('full');

  for (const moment of casesInTier(MOMENTS, ({ name }) => name === WORKS)) {
    test(`GH-T05 GH-026: a task whose worker is killed ${moment.name} is done once, by the next worker`, async () => {
      const { stage, id } = await openAt(moment);
      await using _ = stage;
      process.kill(await stage.worker(), 'SIGKILL');
      await until('the task is free again', async () => (await stage.endings(id)).length === 1);
      moment.leave(stage);
      await endsOnce(stage, id);
      assert.deepEqual(
        (await stage.endings(id)).map(({ how }) => how),
        ['lost', 'completed'],
      );
    });
  }

  it('HA-068b: a task whose agent program is killed is done once, by the next run', async () => {
    const agent = MOMENTS[1] ?? assert.fail('no moment');
    const { stage, id } = await openAt(agent);
    await using _ = stage;
    const program = stage.running().find(({ command }) => /^\S*\/claude\b/.test(command));
    assert.ok(
      program,
      stage
        .running()
        .map(({ command }) => command)
        .join('\n'),
    );
    process.kill(program.pid, 'SIGKILL');
    await until('the task is free again', async () => (await stage.endings(id)).length === 1);
    agent.leave(stage);
    await endsOnce(stage, id);
    const [first] = await stage.endings(id);
    assert.equal(first.how, 'lost');
    assert.match(first.because, /the agent's program crashed/);
  });

  for (const moment of casesInTier(MOMENTS, ({ name }) => name === PUSHED)) {
    test(`R01: a run continues when its hall is killed ${moment.name} and restarted later`, async () => {
      const { stage, id } = await openAt(moment);
      await using _ = stage;
      const worker = await stage.worker();
      await stage.hall.stop('SIGKILL');
      moment.leave(stage);
      await sleep(AWAY);
      await stage.hall.start();
      assert.equal(await stage.worker(), worker, 'the hall found its worker again');
      await endsOnce(stage, id);
      assert.equal((await stage.endings(id)).length, 1, 'nobody had to begin again');
    });
  }
});

/** Long enough for the worker to notice that the hall is gone. */
const AWAY = 2_000;
