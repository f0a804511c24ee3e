import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { currentTier, runsInTier } from '../support/tier.ts';
import { emptiness, type Found, type Played, playAll } from './campaign.ts';
import { applied } from './patching.ts';
import { playElsewhere, together } from './processes.ts';
import { SCENARIOS } from './scenarios.ts';
import { play } from './schedule.ts';
import { VARIANTS } from './variants.ts';
import { withoutTheWorld } from './world/tripwires.ts';

const [FIRST, LAST] = seeds();
const STORIES = LAST - FIRST + 1;
const AT_ONCE = 2;
const ROOT = join(import.meta.dirname, '../..');

if (runsInTier('test')) describe('the simulation itself', theSimulationItself);

function theSimulationItself(): void {
  test('a seed plays the same story twice, and another seed a different one', async () => {
    for (const scenario of SCENARIOS) {
      const [first, again] = [await play(scenario, 7), await play(scenario, 7)];
      assert.deepEqual(again, first);
      assert.notEqual((await play(scenario, 8)).hash, first.hash);
    }
  });

  test('a story cannot use real time, randomness, timers or the network', async () => {
    const told: string[] = [];
    const asks: readonly (() => unknown)[] = [
      () => Date.now(),
      () => new Date(),
      () => performance.now(),
      () => Math.random(),
      () => crypto.randomUUID(),
      () => randomBytes(8),
      () => setTimeout(() => undefined, 1),
      () => setInterval(() => undefined, 1),
      () => setImmediate(() => undefined),
      () => fetch('http://127.0.0.1'),
      () => connect(1),
    ];
    await withoutTheWorld(
      (what) => told.push(what),
      async () => {
        for (const ask of asks) assert.throws(ask, /asked the real world/);
      },
    );
    assert.equal(told.length, asks.length);
    assert.equal(new Date(0).getTime(), 0);
    assert.ok(Date.now() > 0);
  });

  test('a campaign that covers too little fails', async () => {
    const { sums } = await playAll(
      { scenario: 'everyday', first: 1, last: 3, stride: 1, mostViolations: 1 },
      () => undefined,
    );
    assert.equal(emptiness(sums), undefined);
    const idle = { everyday: { stories: 10, steps: 9_000, counts: { RunClaimed: 12 } } };
    assert.match(emptiness(idle) ?? '', /^everyday has 1\.2 claims and 0\.0 completions/);
  });
}

describe(`${STORIES} stories of the whole hall`, () => {
  const lanes: Played[] = [];

  before(async () => {
    const progress = tellProgress(STORIES);
    const all = Array.from({ length: AT_ONCE }, (_, lane) => lane);
    lanes.push(
      ...(await together(all, AT_ONCE, (lane) => {
        const range = ['--first', String(FIRST + lane), '--last', String(LAST)];
        return playElsewhere([...range, '--stride', String(AT_ONCE)], (stories) =>
          progress(lane, stories),
        );
      })),
    );
  });

  for (const { name, proves } of SCENARIOS) {
    test(proves, () => {
      const found = lanes.flatMap((lane) => lane.found).filter(({ scenario }) => scenario === name);
      assert.equal(found.map(inWords).join('\n'), '');
      const sums = lanes.flatMap((lane) => lane.sums[name] ?? []);
      assert.ok(sums.length > 0, `${name} was never played`);
      for (const sum of sums) assert.equal(emptiness({ [name]: sum }), undefined);
    });
  }

  test('every kind of event, ending and fault happens in the stories', () => {
    const happened = new Set(
      lanes.flatMap(({ sums }) =>
        Object.values(sums).flatMap(({ counts }) =>
          Object.keys(counts).filter((what) => (counts[what] ?? 0) > 0),
        ),
      ),
    );
    assert.deepEqual(
      HAPPENINGS.filter((what) => !happened.has(what)),
      [],
    );
  });
});

/** Everything that must happen at least once in a campaign. */
const HAPPENINGS = [
  ...[
    'HallPaused',
    'HallResumed',
    'HallDraining',
    'QuotaWindowOpened',
    'ProjectSet',
    'ProjectPaused',
  ],
  ...[
    'ProjectResumed',
    'ProjectRemoved',
    'TypeSet',
    'PersonaSet',
    'PersonaRemoved',
    'InstanceSet',
    'InvokerSet',
  ],
  ...['InvokerParked', 'InvokerUnparked'],
  ...[
    'ThreadReopened',
    'ThreadChanged',
    'ThreadDone',
    'PullRequestMerged',
    'TaskPosted',
    'TaskEdited',
  ],
  ...['TaskApproved', 'TaskBlocked', 'TaskUnblocked', 'TaskDue', 'TaskRetried', 'TaskCancelled'],
  ...['TaskAnswered', 'LabelWaitExpired', 'LabelsUnmatched', 'WorkerRegistered', 'WorkerDraining'],
  ...[
    'TargetExceeded',
    'WorkerDeregistered',
    'RunClaimed',
    'RunStarted',
    'UsageRecorded',
    'NoteAdded',
    'RunEnded',
  ],
  ...['ended: completed', 'ended: failed', 'ended: rejected', 'ended: asked', 'ended: deferred'],
  ...[
    'ApprovalRequested',
    'ApprovalAnswered',
    'ApprovalUsed',
    'RunAwaitingApproval',
    'RunResumed',
    'RuleSet',
  ],
  ...['RuleRemoved', 'approval: approved', 'approval: denied', 'approval: expired'],
  ...['ended: lost', 'ended: released', 'ended: cancelled', 'expired', 'replays', 'stale'],
  ...['refused', 'broken', 'lostReplies', 'leadershipLost', 'lost', 'doubled'],
];

if (runsInTier('test')) describe('a hall with a deliberate mistake', deliberateMistakes);

function deliberateMistakes(): void {
  const ends = new Map<string, Promise<Played>>();

  before(async () => {
    await together(VARIANTS, AT_ONCE, async ({ name, from = 1, seeds }) => {
      const last = from + seeds - 1;
      const range = ['--variant', name, '--first', String(from), '--last', String(last)];
      const end = playElsewhere([...range, '--violations', '1'], () => undefined);
      ends.set(name, end);
      await Promise.allSettled([end]);
    });
  });

  for (const { name, about, scenario, from = 1, seeds, patches } of VARIANTS) {
    test(`a deliberate mistake is caught: ${about}`, async () => {
      for (const patch of patches) applied(readFileSync(join(ROOT, patch.file), 'utf8'), patch);
      const played = await ends.get(name);
      const stories = `--seed ${from} --count ${seeds}`;
      const command = `node test/simulation/replay.ts --variant ${name} ${stories}`;
      assert.ok(played?.found[0], `${scenario} did not catch it in ${seeds} stories: ${command}`);
    });
  }
}

/** 10,000 stories, of which `npm test` plays the first 500. */
function seeds(): readonly [first: number, last: number] {
  const wanted = process.env['GUILDHALL_SIM_SEEDS'];
  if (wanted !== undefined) return [1, Number(wanted)];
  return ({ test: [1, 500], full: [1, 10_000], rest: [501, 10_000] } as const)[currentTier()];
}

function inWords({ scenario, seed, violation }: Found): string {
  const command = `node test/simulation/replay.ts --scenario ${scenario} --seed ${seed} --trace`;
  return `${violation}\n  ${command}`;
}

/** Prints a line of progress from time to time. */
function tellProgress(stories: number): (lane: number, played: number) => void {
  const played = new Map<number, number>();
  const started = performance.now();
  let told = 0;
  return (lane, count) => {
    played.set(lane, count);
    const sum = [...played.values()].reduce((total, each) => total + each, 0);
    if (sum - told < stories / 10) return;
    told = sum;
    const rate = (sum / ((performance.now() - started) / 1000)).toFixed(0);
    process.stdout.write(`simulation: ${sum} of ${stories} stories, ${rate} a second\n`);
  };
}
