import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { type RunningHall, startHall } from '../../test/support/hall.ts';
import { createManualClock } from '../../test/support/manual-clock.ts';
import type { Log } from '../ports/log.ts';
import type { Recruit, Recruits } from '../ports/recruits.ts';
import { recruit } from './recruit.ts';

const QUIET: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Processes as the hall sees them, without any. */
class Roll implements Recruits {
  readonly started: string[] = [];
  members: Recruit[] = [];
  looks = 0;

  /** Why no worker can be started. */
  fault: string | null = null;

  async start(instance: string): Promise<void> {
    this.started.push(instance);
    if (this.fault !== null) throw new Error(this.fault);
  }

  async list(): Promise<readonly Recruit[]> {
    this.looks += 1;
    return this.members;
  }

  dismiss(): void {
    assert.fail('nobody is sent home here');
  }

  async forget(gone: Recruit): Promise<void> {
    this.members = this.members.filter((each) => each !== gone);
  }
}

async function stage() {
  const clock = createManualClock();
  const hall = await startHall({
    projects: { shop: { repo: 'file:/shop', maxWorkers: 3 } },
    invokers: { ada: { weeklyCap: 100, projects: null } },
  });
  const roll = new Roll();
  let held: string | null = null;
  let lack: string | null = null;
  const recruiter = recruit({
    ...{ hall: hall.hall, recruits: roll, clock, log: QUIET, most: 2 },
    held: () => held,
    lacks: { isolation: () => lack, backend: () => null },
  });
  return {
    hall,
    roll,
    recruiter,
    hold: (because: string | null) => {
      held = because;
    },
    withoutIsolation: (because: string | null) => {
      lack = because;
    },
    /** Lets one whole look pass: the next begins when it is over. */
    async look() {
      const until = roll.looks + 2;
      while (roll.looks < until) {
        clock.pass(1_000);
        await setImmediate();
      }
    },
    async [Symbol.asyncDispose]() {
      await recruiter.stop();
      await hall[Symbol.asyncDispose]();
    },
  };
}

async function joined(hall: RunningHall): Promise<string> {
  return (await hall.worker({ instance: 'dev-default', brings_model: false })).id;
}

describe('the recruiter', () => {
  it('the recruiter starts no worker while no run may start, and resumes afterwards', async () => {
    await using scene = await stage();
    scene.hold('the disk is full');
    await scene.hall.post();
    await scene.look();
    assert.deepEqual(scene.roll.started, []);
    assert.equal(scene.recruiter.state().held, 'the disk is full');
    scene.hold(null);
    await scene.look();
    assert.equal(scene.roll.started[0], 'dev-default');
  });

  it('the recruiter does not try to start a worker that this machine cannot run, until it can', async () => {
    await using scene = await stage();
    scene.withoutIsolation('bubblewrap is not on the PATH');
    await scene.hall.post();
    for (let looks = 0; looks < 5; looks += 1) await scene.look();
    assert.deepEqual(scene.roll.started, []);
    const { unable, resting } = scene.recruiter.state();
    assert.deepEqual(resting, []);
    assert.deepEqual(unable[0], {
      project: 'shop',
      instance: 'dev-default',
      because: 'bubblewrap is not on the PATH',
    });
    scene.withoutIsolation(null);
    await scene.look();
    assert.equal(scene.roll.started[0], 'dev-default');
  });

  it('the recruiter drains its workers while no run may start', async () => {
    await using scene = await stage();
    const worker = await joined(scene.hall);
    const alive = { name: 'a', instance: 'dev-default', isAlive: true, lastOutput: null };
    scene.roll.members = [{ ...alive, worker }];
    await scene.look();
    const isDraining = async () =>
      (await scene.hall.caller.get('/v1/workers')).body.workers[0].draining;
    assert.equal(await isDraining(), false);
    scene.hold('the disk is full');
    await scene.look();
    assert.equal(await isDraining(), true);
  });

  it('the recruiter reports which instances lose workers, how often, and the last output', async () => {
    await using scene = await stage();
    const dead = { name: 'a', instance: 'dev-default', worker: null, isAlive: false };
    for (const lastOutput of ['no cell can be built', 'still none']) {
      scene.roll.members = [{ ...dead, lastOutput }];
      await scene.look();
    }
    const [{ instance, deaths, because } = assert.fail('nobody rests'), ...others] =
      scene.recruiter.state().resting;
    assert.deepEqual([instance, deaths, because, others], ['dev-default', 2, 'still none', []]);
  });

  it('the recruiter backs off from a worker that cannot start, and its state shows why', async () => {
    await using scene = await stage();
    scene.roll.fault = 'ENOSPC: no space left on device';
    await scene.hall.post();
    for (let looks = 0; looks < 15; looks += 1) await scene.look();
    const tries = scene.roll.started.length;
    assert.ok(tries > 1 && tries < 8, `${tries} starts in 30 seconds`);
    const [rest] = scene.recruiter.state().resting;
    assert.deepEqual([rest?.deaths, rest?.because], [tries, 'ENOSPC: no space left on device']);
  });
});
