import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isPure } from './pure-suites.ts';
import { inLanes, inPasses, inShard, type Job, planJobs, shardCalled } from './run-plan.ts';
import { leftToFull, suitesInTier } from './suite-tiers.ts';
import { isInTier, TIERS, tierCalled } from './tier-names.ts';
import { expectedOf, usualOf, withMeasured } from './usual-times.ts';

const TIMES = { test: { a: 1, b: 2, c: 9 }, rest: { a: 100 }, waits: ['c'] };
const CONTAINERS = 'src/adapters/containers/containers.test.ts';
const SIMULATION = 'test/simulation/simulation.test.ts';
const ORDINARY_USER = 'src/adapters/sandbox/ordinary-user.full.test.ts';
const LEASE = 'src/domain/lost-worker.test.ts';

describe('the plan of a run', () => {
  const expected = (names: readonly string[]) => expectedOf(names, 'test', TIMES);

  it('a plan has the longest job first, and counts an unmeasured suite as average', () => {
    const jobs = planJobs(['a', 'new', 'b', 'c'], [], expected);
    assert.deepEqual(names(jobs), ['c', 'new', 'b', 'a']);
  });

  it('a plan puts pure suites into one job and every other suite into its own', () => {
    const jobs = planJobs([], [LEASE, 'src/domain/quota.test.ts', SIMULATION], expected);
    assert.deepEqual(jobs.map(({ files }) => files.length).sort(), [1, 2]);
  });

  it('a plan is split into shards of about equal length, with every job in exactly one', () => {
    const jobs = planJobs(['a', 'b', 'c', 'd', 'e'], [], expected);
    const shards = [1, 2].map((index) => inShard(jobs, { index, of: 2 }));
    assert.deepEqual(shards.flatMap(names).sort(), ['a', 'b', 'c', 'd', 'e']);
    const [one = 0, two = 0] = shards.map((shard) =>
      shard.reduce((sum, job) => sum + job.seconds, 0),
    );
    assert.ok(Math.abs(one - two) <= 4, `${one} s and ${two} s`);
  });

  it('a job of suites that need one of several engines runs once with each', () => {
    const passes = ['Podman', 'Docker'].map((title) => ({ title, variables: { ENGINE: title } }));
    const jobs = inPasses(planJobs(['a'], [CONTAINERS], expected), (files) =>
      files.includes(CONTAINERS) ? passes : [{ variables: {} }],
    );
    assert.deepEqual(
      jobs.map(({ name, pass }) => [name, pass?.title]),
      [
        [CONTAINERS, 'Podman'],
        [CONTAINERS, 'Docker'],
        ['a', undefined],
      ],
    );
  });

  it('an invalid shard is refused', () => {
    assert.deepEqual(shardCalled('2/3'), { index: 2, of: 3 });
    for (const text of ['0/3', '4/3', '3', 'a/b'])
      assert.throws(() => shardCalled(text), /--shard=/);
  });

  it('jobs run in the given number of lanes', async () => {
    let atOnce = 0;
    let most = 0;
    const done: string[] = [];
    await inLanes(planJobs(['a', 'b', 'c'], [], expected), 2, async ({ name }) => {
      most = Math.max(most, ++atOnce);
      await Promise.resolve();
      atOnce -= 1;
      done.push(name);
    });
    assert.equal(most, 2);
    assert.deepEqual(done.sort(), ['a', 'b', 'c']);
  });

  it('a job that mostly waits runs beside the lanes, one at a time', async () => {
    const plan = planJobs(['a', 'b', 'c', 'd'], [], expected, ['a', 'b']);
    const running = new Set<string>();
    const together: string[][] = [];
    await inLanes(plan, 1, async ({ name }) => {
      together.push([...running, name].sort());
      running.add(name);
      for (let n = name === 'c' ? 9 : 1; n > 0; n -= 1) await Promise.resolve();
      running.delete(name);
    });
    assert.ok(together.some((names) => names.includes('c') && names.includes('a')));
    assert.ok(together.every((names) => names.length <= 2));
    assert.equal(together.length, 4);
  });
});

describe('a suite is pure', () => {
  for (const [file, expected] of [
    [LEASE, true],
    ['src/config/load.test.ts', true],
    ['src/adapters/sqlite/store.test.ts', false],
    ['src/adapters/git/branches.test.ts', false],
    ['src/http/wait-for-drain.test.ts', false],
    ['test/support/suites.full.test.ts', false],
    [CONTAINERS, false],
  ] as const) {
    it(`${file} is ${expected ? '' : 'not '}a pure suite`, () =>
      assert.equal(isPure(file), expected));
  }
});

describe('a tier', () => {
  it('the tiers test and rest together are full, and have no test in common', () => {
    for (const home of ['test', 'full'] as const) {
      assert.ok(isInTier(home, 'full'));
      assert.notEqual(isInTier(home, 'test'), isInTier(home, 'rest'));
    }
  });

  it('an unknown tier is refused', () => {
    for (const tier of TIERS) assert.equal(tierCalled(tier), tier);
    assert.throws(
      () => tierCalled('quick'),
      /there is no tier quick; the tiers are test, full, rest/,
    );
  });

  it('a tier has the suites that are named after it, need its parts or ask for it', () => {
    const all = [LEASE, SIMULATION, CONTAINERS, ORDINARY_USER];
    assert.deepEqual(suitesInTier(all, 'test'), [LEASE, SIMULATION]);
    assert.deepEqual(suitesInTier(all, 'rest'), [SIMULATION, CONTAINERS, ORDINARY_USER]);
    assert.deepEqual(suitesInTier(all, 'full'), all);
  });

  it('what npm test leaves to the full tier is summed up in one line', () => {
    const all = [LEASE, SIMULATION, CONTAINERS];
    assert.equal(
      leftToFull(all),
      'left to npm run test:full: all of 1 suite, more cases in 1 suite',
    );
    assert.equal(leftToFull([LEASE]), undefined);
  });
});

describe('the usual time', () => {
  it('the usual time of the full tier is the sum of the other two', () => {
    assert.equal(usualOf(['a'], 'full', TIMES), 101);
    assert.equal(usualOf(['b'], 'full', TIMES), 2);
    assert.equal(usualOf(['a', 'b'], 'test', TIMES), 3);
  });

  it('the usual time of an unmeasured suite is unknown', () => {
    assert.equal(usualOf(['a', 'new'], 'test', TIMES), undefined);
    assert.equal(expectedOf(['new'], 'test', TIMES), 4);
    assert.equal(expectedOf(['new'], 'test', { test: {}, rest: {}, waits: [] }), 3);
  });

  it('the usual time is updated by a measurement, unless the suite failed', () => {
    const result = { seconds: 1, passed: 1, skipped: [], output: '' };
    const failures = [{ title: 'a', because: 'b' }];
    const measured = withMeasured(TIMES, 'test', [
      { ...result, name: 'a', cpuSeconds: 3.01, failures: [] },
      { ...result, name: 'b', cpuSeconds: 4, failures },
      { ...result, name: 'gone.test.ts', cpuSeconds: 4, failures: [] },
    ]);
    assert.deepEqual(measured, { test: { a: 3.1, b: 2, c: 9 }, rest: { a: 100 }, waits: ['c'] });
  });

  it('of a suite that ran with several engines the longest pass is recorded', () => {
    const result = { name: 'a', seconds: 9, passed: 1, skipped: [], output: '', failures: [] };
    const measured = withMeasured(TIMES, 'test', [
      { ...result, on: 'Podman', cpuSeconds: 7 },
      { ...result, on: 'Docker', cpuSeconds: 2 },
    ]);
    assert.deepEqual(measured, { ...TIMES, test: { a: 7, b: 2, c: 9 } });
  });

  it('a measurement records which suites mostly wait', () => {
    const result = { passed: 1, skipped: [], output: '', failures: [] };
    const { waits } = withMeasured(TIMES, 'test', [
      { ...result, name: 'a', seconds: 20, cpuSeconds: 3 },
      { ...result, name: 'b', seconds: 2, cpuSeconds: 0.1 },
      { ...result, name: 'c', seconds: 20, cpuSeconds: 15 },
    ]);
    assert.deepEqual(waits, ['a']);
  });
});

function names(jobs: readonly Job[]): string[] {
  return jobs.map(({ name }) => name);
}
