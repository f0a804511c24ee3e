import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { STORES } from '../support/acceptance-stores.ts';
import { held, working } from '../support/acceptance-tools.ts';
import { HallFixture, type Json, until } from '../support/hall-fixture.ts';

const REVIEWED = 'rm -r ./temp';

for (const on of STORES) {
  describe(`approvals, on ${on.store}`, { concurrency: true }, () => {
    const shared = on.sharedHall({});

    shared.test(
      'GH-T24 GH-104a GH-107b: approving and promoting a command creates a rule of the project that then accepts it',
      async (fixture) => {
        const agent = await working(fixture);
        const { id, nonce } = await held(fixture, agent, REVIEWED);
        const answer = { answer: 'approve', nonce, promote: 'project' };
        assert.equal((await fixture.post(`/v1/approvals/${id}`, answer)).state, 'approved');
        assert.equal((await fixture.task(agent.claim.task.id)).state, 'running');
        assert.equal((await agent.ask(REVIEWED)).verdict, 'accept');

        const other = await working(fixture, agent.shop);
        const decision = await other.ask(REVIEWED);
        assert.equal(decision.verdict, 'accept');
        assert.match(decision.rule, /^ru-\d+$/);
        assert.equal((await other.ask('rm -r ./temp/../src')).verdict, 'review');
        const elsewhere = await working(fixture);
        assert.equal((await elsewhere.ask(REVIEWED)).verdict, 'review');
      },
    );

    shared.test(
      'GH-107b: a command that cannot be written as a rule is not promoted',
      async (fixture) => {
        const agent = await working(fixture);
        for (const command of ['re:.*|rm -r ./temp', `rm -r ./temp ${'x'.repeat(1_000)}`]) {
          const { id, nonce } = await held(fixture, agent, command);
          const answer = { answer: 'approve', nonce, promote: 'project' };
          const { status, body } = await fixture.caller.post(`/v1/approvals/${id}`, answer);
          assert.deepEqual([status, body.code], [422, 'not_promotable'], command);
          assert.equal((await agent.ask('rm -r ./other')).verdict, 'review');
        }
      },
    );

    shared.test(
      'GH-106: a review shows the command, task, worker, project, worktree and last five commands',
      async (fixture) => {
        const agent = await working(fixture);
        for (const n of [1, 2, 3, 4, 5, 6]) await agent.ask(`echo ${n}`);
        const command = 'rm -r ./temp && echo \u202edone\u202c';
        const shown = await held(fixture, agent, command);
        assert.equal(shown.command, 'rm -r ./temp && echo \\u202edone\\u202c');
        assert.deepEqual(shown.tree, ['rm -r ./temp', "echo '\\u202edone\\u202c'"]);
        assert.match(shown.anomalies[0], /invisible characters/);
        assert.equal(shown.length, command.length);
        assert.deepEqual(
          [
            shown.title,
            shown.task,
            shown.run,
            shown.worker,
            shown.project,
            shown.worktree,
            shown.cwd,
          ],
          [
            'Tidy up',
            agent.claim.task.id,
            agent.claim.run,
            agent.worker.id,
            agent.shop.name,
            '/cell',
            '/cell',
          ],
        );
        assert.deepEqual(
          shown.before.map((each: Json) => each.command),
          ['echo 6', 'echo 5', 'echo 4', 'echo 3', 'echo 2'],
        );
        const { approvals } = await fixture.get(`/v1/approvals?project=${agent.shop.name}`);
        assert.deepEqual(approvals, [shown]);
      },
    );

    shared.test(
      'GH-107a: approve once lets one call run, and deny once lets none run',
      async (fixture) => {
        const agent = await working(fixture);
        const first = await held(fixture, agent, REVIEWED);
        assert.equal((await agent.ask(REVIEWED)).approval, first.id);
        await fixture.post(`/v1/approvals/${first.id}`, { answer: 'approve', nonce: first.nonce });
        assert.equal((await agent.ask(REVIEWED)).verdict, 'accept');
        const second = await held(fixture, agent, REVIEWED);
        assert.notEqual(second.id, first.id);
        const denial = { answer: 'deny', nonce: second.nonce, because: 'once is enough' };
        await fixture.post(`/v1/approvals/${second.id}`, denial);
        const decision = await agent.ask(REVIEWED);
        assert.equal(decision.verdict, 'deny');
        assert.match(decision.because, /once is enough/);
        assert.equal((await fixture.task(agent.claim.task.id)).state, 'running');
      },
    );

    shared.test(
      'A39: an approval does not cover the same command in another folder, with another script or in another run',
      async (fixture) => {
        const agent = await working(fixture);
        const script = { scripts: { 'tool.sh': 'hash-1' } };
        const { approval } = await agent.ask('frobnicate tool.sh', script);
        const { nonce } = await fixture.get(`/v1/approvals/${approval}`);
        await fixture.post(`/v1/approvals/${approval}`, { answer: 'approve', nonce });
        const swapped = { scripts: { 'tool.sh': 'hash-2' } };
        for (const more of [swapped, { ...script, cwd: '/cell/sub' }]) {
          assert.equal((await agent.ask('frobnicate tool.sh', more)).verdict, 'review');
        }
        const other = await working(fixture, agent.shop);
        assert.equal((await other.ask('frobnicate tool.sh', script)).verdict, 'review');
        assert.equal((await agent.ask('frobnicate tool.sh', script)).verdict, 'accept');
      },
    );

    shared.test(
      'A42: a worker cannot answer an approval, and an approval is answered once',
      async (fixture) => {
        const agent = await working(fixture);
        const { id, nonce } = await held(fixture, agent, REVIEWED);
        const yes = { answer: 'approve', nonce };
        assert.equal((await agent.worker.caller.post(`/v1/approvals/${id}`, yes)).status, 403);
        assert.equal((await fixture.as(null).post(`/v1/approvals/${id}`, yes)).status, 401);
        const wrong = await fixture.caller.post(`/v1/approvals/${id}`, {
          answer: 'approve',
          nonce: 'x',
        });
        assert.deepEqual([wrong.status, wrong.body.code], [409, 'wrong_nonce']);
        await fixture.post(`/v1/approvals/${id}`, yes);
        const again = await fixture.caller.post(`/v1/approvals/${id}`, yes);
        assert.deepEqual([again.status, again.body.code], [409, 'approval_answered']);
        const shown = await agent.worker.caller.get(`/v1/approvals/${id}`);
        assert.deepEqual([shown.status, shown.body.nonce], [200, null]);
        const other = await working(fixture);
        assert.equal((await other.worker.caller.get(`/v1/approvals/${id}`)).status, 404);
      },
    );

    shared.test(
      'A41: a run with too many calls for review is denied without a person',
      async (fixture) => {
        const agent = await working(fixture);
        const verdicts: string[] = [];
        for (let n = 0; n < 12; n += 1)
          verdicts.push((await agent.ask(`rm -r ./temp${n}`)).verdict);
        assert.deepEqual(verdicts.slice(0, 6), [...Array(5).fill('review'), 'deny']);
        assert.ok(verdicts.slice(5).every((verdict) => verdict === 'deny'));
        const { decisions } = await fixture.get(`/v1/decisions?run=${agent.claim.run}&by=limit`);
        assert.equal(decisions.length, 7);
      },
    );

    shared.test(
      'A43: a tool call of an ended run is refused, and its approvals are gone',
      async (fixture) => {
        const agent = await working(fixture);
        const { id, nonce } = await held(fixture, agent, REVIEWED);
        const stale = {
          fence: agent.claim.fence - 1,
          command: 'ls',
          cwd: '/cell',
          worktree: '/cell',
        };
        const caller = agent.worker.caller;
        assert.equal((await caller.post(`/v1/runs/${agent.claim.run}/tool`, stale)).status, 409);
        await agent.worker.complete(agent.claim);
        const late = await agent.worker.call('tool', agent.claim, {
          command: 'ls',
          cwd: '/cell',
          worktree: '/cell',
        });
        assert.deepEqual([late.status, late.body.code], [409, 'stale_fence']);
        assert.equal((await fixture.caller.get(`/v1/approvals/${id}`)).status, 404);
        const answer = await fixture.caller.post(`/v1/approvals/${id}`, {
          answer: 'approve',
          nonce,
        });
        assert.deepEqual([answer.status, answer.body.code], [404, 'unknown_approval']);
      },
    );

    shared.test('a worker that waits for an approval gets the answer at once', async (fixture) => {
      const agent = await working(fixture);
      const { id, nonce } = await held(fixture, agent, REVIEWED);
      const waiting = agent.worker.caller.get(`/v1/approvals/${id}?wait_seconds=50`);
      await fixture.post(`/v1/approvals/${id}`, { answer: 'approve', nonce });
      assert.equal((await waiting).body.state, 'approved');
    });

    on.test(
      'GH-T23 GH-107c: a review without an answer is denied after the timeout',
      async (place) => {
        const hall = await place.start({ hall: { approval_timeout: '1s' } });
        using fixture = new HallFixture(hall);
        const agent = await working(fixture);
        const { approval } = await agent.ask(REVIEWED);
        const shown = await until('the approval expires', async () => {
          const { body } = await agent.worker.caller.get(
            `/v1/approvals/${approval}?wait_seconds=5`,
          );
          return body.state === 'expired' && body;
        });
        assert.equal(shown.state, 'expired');
        assert.equal((await fixture.task(agent.claim.task.id)).state, 'running');
        const decision = await agent.ask(REVIEWED);
        assert.equal(decision.verdict, 'deny');
        assert.match(decision.because, /nobody answered in time/);
        const { decisions } = await fixture.get('/v1/decisions?by=timeout&verdict=deny');
        assert.deepEqual(
          decisions.map(({ command }: Json) => command),
          [REVIEWED],
        );
      },
    );

    on.test('GH-043: rules, open approvals and decisions survive SIGKILL', async (place) => {
      const hall = await place.startProcess({});
      using fixture = new HallFixture(hall);
      const agent = await working(fixture);
      const { approval } = await agent.ask(REVIEWED);
      await fixture.post('/v1/rules', { verdict: 'deny', match: { program: 'make' } });
      const stored = async () => [
        await fixture.get('/v1/approvals'),
        await fixture.get('/v1/rules'),
        await fixture.get('/v1/decisions'),
      ];
      const before = await stored();
      await hall.stop('SIGKILL');
      await hall.start();
      assert.deepEqual(await stored(), before);
      assert.equal((await agent.ask(REVIEWED)).approval, approval);
      assert.equal((await agent.ask('make')).verdict, 'deny');
    });
  });
}
