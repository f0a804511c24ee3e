import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CiJob } from '../../src/adapters/forge-emulator/state/ci-script.ts';
import { ForgeHall, REPO } from '../support/forge-hall.ts';
import { type Json, until } from '../support/hall-fixture.ts';

interface Pushed {
  readonly attempt: number;
  readonly read: (path: string) => Promise<string | null>;
}

/** What CI says about a commit, by the first word of its a.txt; green where nothing else is said. */
function ciOf(results: Readonly<Record<string, (pushed: Pushed) => readonly CiJob[]>>) {
  return async (pushed: Pushed): Promise<readonly CiJob[]> => {
    const [word = ''] = ((await pushed.read('a.txt')) ?? '').trim().split(' ');
    return results[word]?.(pushed) ?? [{ name: 'test', conclusion: 'success' }];
  };
}

const RED: CiJob = { name: 'test', conclusion: 'failure', log: 'expected 2, got 3\n' };

const file = (text: string) => ({ files: { 'a.txt': `${text}\n` } });

function skillsOf(tasks: readonly Json[]): readonly string[] {
  return tasks.map(({ skill }) => skill).sort();
}

describe('CI on a forge', () => {
  it('HA-024a HA-024b HA-024d: all suites of a head that failed make one fix-ci with their names and logs, once all have ended, or 15 minutes after the first failure', async () => {
    let behind = 0;
    await using shop = await ForgeHall.open({ now: () => Date.now() - behind });
    const { control } = shop.forge;
    const lint: CiJob = { name: 'lint', workflow: 'any', conclusion: 'failure', log: 'tabs\n' };
    const outside: CiJob = { name: 'outside', as: 'status', conclusion: 'failure' };
    const slow: CiJob = { name: 'slow', workflow: 'third', conclusion: null };
    const stopped: CiJob = { name: 'stopped', workflow: 'fourth', conclusion: 'cancelled' };
    control.setCi(
      ciOf({
        bad: () => [RED, lint, outside, slow],
        late: () => [RED, slow],
        stopped: () => [stopped, { name: 'left out', conclusion: 'skipped' }],
      }),
    );
    shop.issue();
    const commit = await shop.push(await shop.claim('implement'), file('bad'));
    await shop.thread('three have failed', ({ checks }) => checks?.failing.length === 3);
    assert.deepEqual(skillsOf(await shop.tasks()), ['implement']);
    control.concludeJob(REPO, { sha: commit, name: 'slow', conclusion: 'timed_out' });
    const fix = await shop.claim('fix-ci');
    const prompt = await shop.prompt(fix);
    assert.match(prompt, /These checks fail: lint, outside, slow, test/);
    assert.match(prompt, /expected 2, got 3/);
    assert.match(prompt, /tabs/);
    assert.deepEqual(skillsOf(await shop.tasks()), ['fix-ci', 'implement']);

    await shop.push(fix, file('stopped'));
    const ignored = await shop.thread(
      'the new head is pushed',
      ({ checks, head }) => checks?.commit === head,
    );
    assert.deepEqual([ignored.checks.is, ignored.checks.failing], ['pending', []]);
    assert.deepEqual(skillsOf(await shop.tasks()), ['fix-ci', 'implement']);

    behind = 16 * 60_000;
    await shop.ada.push(REPO, { branch: ignored.branch, ...file('late') });
    const late = await shop.claim('fix-ci');
    assert.match(await shop.prompt(late), /These checks fail: test\./);
  });

  it('HA-024c HA-147: a loop ends after max_retries in a row, counted again after a green head, and a comment mentions who paid and who asked', async () => {
    await using shop = await ForgeHall.open({ project: { max_retries: 1 }, invoker: 'paula' });
    shop.forge.control.setCi(ciOf({ bad: () => [RED] }));
    const number = shop.issue();
    await shop.push(await shop.claim('implement'), file('bad 1'));
    await shop.push(await shop.claim('fix-ci'), file('good'));
    const green = await shop.thread('it is green', ({ checks }) => checks?.is === 'green');
    assert.equal(green.ci_retries, 0);
    await shop.review('approved');
    await shop.ada.push(REPO, { branch: green.branch, ...file('bad 2') });
    const fix = await shop.claim('fix-ci');
    await shop.card(number, /ci-fix \(attempt 1 of 1\)/);
    await shop.push(fix, file('bad 3'));
    const pull = await shop.pull();
    const told = await shop.comment(pull.number, /hall-reply: escalation/);
    assert.match(told, /@paula @ada agents cannot go on/);
    assert.match(told, /failed checks in a row: 2[\s\S]*failing now: `test`/);
    await shop.card(number, /escalated/);
    await shop.ada.push(REPO, { branch: green.branch, ...file('bad 4') });
    await shop.thread('the push of a person counts anew', ({ ci_retries }) => ci_retries === 1);
  });

  it('X-017c: a flaky check is started once more before an agent is paid, and a loop that returns to the same files stops', async () => {
    await using shop = await ForgeHall.open();
    const flaky = ({ attempt }: Pushed) =>
      attempt === 1 ? [RED] : [{ ...RED, conclusion: 'success' } as const];
    shop.forge.control.setCi(ciOf({ flaky, bad: () => [RED], worse: () => [RED] }));
    shop.issue();
    const commit = await shop.push(await shop.claim('implement'), file('flaky 1'));
    const unknown = await shop.claim('fix-ci');
    const { workflow_runs: runs } = await shop.ask(
      `/repos/${REPO}/actions/runs?head_sha=${commit}`,
    );
    await shop.ask(`/repos/${REPO}/actions/runs/${runs[0].id}/rerun`, 'POST');
    await shop.thread('a person started it again', ({ checks }) => checks?.is === 'green');
    await (await shop.worker()).complete(unknown);

    const second = shop.issue();
    await shop.push(await shop.claim('implement'), { ...file('flaky 2') });
    await shop.thread('the hall started it again', ({ checks }) => checks?.is === 'green', second);
    const { events } = await shop.fixture.get('/v1/events?type=ChecksRerun');
    assert.deepEqual(
      events.map(({ facts }: Json) => [facts.names, facts.started]),
      [[['test'], true]],
    );
    const fixes = skillsOf(await shop.tasks()).filter((skill) => skill === 'fix-ci');
    assert.equal(fixes.length, 1);

    const third = shop.issue();
    await shop.push(await shop.claim('implement'), file('bad'));
    await until('the flaky one is tried again first', async () => {
      const found = await shop.fixture.get('/v1/events?type=ChecksRerun');
      return found.events.length === 2;
    });
    await shop.push(await shop.claim('fix-ci'), file('worse'));
    await shop.push(await shop.claim('fix-ci'), file('bad'));
    const stopped = await shop.thread('it is stopped', (each) => each.handed_over !== null, third);
    assert.match(stopped.handed_over.because, /again those of .*agents go round in circles/);
  });

  it('HA-144a HA-144b HA-144c CH-083d CH-083e: without CI the hall goes on after ci_wait, and its own check runs neither start nor end anything', async () => {
    await using shop = await ForgeHall.open({
      isApp: true,
      project: { ci_wait: '1s', merge_policy: 'on-approval' },
    });
    const { control } = shop.forge;
    control.protect(REPO, 'main', { requiredChecks: ['deploy'] });
    const number = shop.issue();
    const commit = await shop.push(await shop.claim('implement'));
    const own = await until('the hall shows its work', async () => {
      const { check_runs: all } = await shop.ask(`/repos/${REPO}/commits/${commit}/check-runs`);
      return all.length > 0 && all;
    });
    assert.deepEqual(
      own.map(({ name }: Json) => name),
      ['[Hall] dev'],
    );
    await shop.card(
      number,
      /`deploy` never started, and the base branch requires it before a merge/,
    );
    control.unprotect(REPO, 'main');
    await shop.review('approved');
    await shop.ada.review(REPO, (await shop.pull()).number, { state: 'approved' });
    await shop.card(number, /no CI/);
    const waits = await shop.thread('it waits', ({ merge_waiting_for }) => merge_waiting_for);
    assert.match(
      waits.merge_waiting_for,
      /unchecked work is merged automatically only if ci: none/,
    );
    const path = `/repos/${REPO}/commits/${commit}/check-runs?filter=all`;
    const after = await until('its check has ended', async () => {
      const { check_runs: all } = await shop.ask(path);
      return all.some(({ conclusion }: Json) => conclusion === 'success') && all;
    });
    assert.deepEqual([after.length, after[0].id], [1, own[0].id]);
    assert.equal(waits.checks.is, 'none');
    assert.ok(!skillsOf(await shop.tasks()).includes('fix-ci'));
    await shop.fixture.caller.call('PATCH', '/v1/projects/shop', { ci: 'none' });
  });
});
