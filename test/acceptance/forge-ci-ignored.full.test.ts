import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CiJob } from '../../src/adapters/forge-emulator/state/ci-script.ts';
import { ForgeHall, REPO } from '../support/forge-hall.ts';
import { type Json, until } from '../support/hall-fixture.ts';

const NO_FAILURES = ['cancelled', 'skipped', 'neutral', 'stale', 'action_required'] as const;

describe('checks that say nothing about a change', () => {
  it('HA-024e: suites without runs, the check runs of the hall, and checks that neither passed nor failed post no fix-ci', async () => {
    await using shop = await ForgeHall.open({ isApp: true });
    const { control } = shop.forge;
    const permissions = { checks: 'write', contents: 'read' };
    const app = control.addApp({ owner: 'ada', name: 'idle', permissions, events: [] });
    control.installApp(app.id, 'acme');
    const ignored = NO_FAILURES.map((conclusion): CiJob => {
      return { name: conclusion, workflow: conclusion, conclusion };
    });
    control.setCi(() => [...ignored, { name: 'test', conclusion: 'success' }]);
    shop.issue();
    const commit = await shop.push(await shop.claim('implement'));
    const { check_suites: suites } = await shop.ask(
      `/repos/${REPO}/commits/${commit}/check-suites`,
    );
    const idle = suites.find((suite: Json) => suite.app.slug === 'idle');
    assert.deepEqual([idle.status, idle.latest_check_runs_count], ['queued', 0]);
    const own = await until('the hall shows its work', async () => {
      const { check_runs: all } = await shop.ask(`/repos/${REPO}/commits/${commit}/check-runs`);
      return all.find(({ name }: Json) => name === '[Hall] dev');
    });
    assert.ok(own);
    const green = await shop.thread('it is green', ({ checks }) => checks?.is === 'green');
    assert.deepEqual(green.checks.failing, []);
    await shop.review('approved');
    const skills = (await shop.tasks()).map(({ skill }) => skill).sort();
    assert.deepEqual(skills, ['implement', 'review']);
  });
});
