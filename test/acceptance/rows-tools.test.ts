import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { API_STORES } from '../support/acceptance-stores.ts';
import { held, working } from '../support/acceptance-tools.ts';
import type { Json } from '../support/hall-fixture.ts';

const REVIEWED = 'rm -r ./temp';

/** A person answers no sooner than this, so the logged response time cannot be zero. */
const ANSWER_AFTER_MS = 20;

for (const on of API_STORES) {
  describe(`tool calls, on ${on.store}`, { concurrency: true }, () => {
    const shared = on.sharedHall({});

    shared.test('a test runner is accepted', async (fixture) => {
      const agent = await working(fixture);
      for (const command of ['npm test', 'pytest -q', 'cargo test --all', 'go test ./...']) {
        const { verdict, approval } = await agent.ask(command);
        assert.deepEqual([verdict, approval], ['accept', null], command);
      }
      assert.equal((await fixture.task(agent.claim.task.id)).state, 'running');
    });

    shared.test('GH-T21: curl is denied with the reason', async (fixture) => {
      const agent = await working(fixture);
      const decision = await agent.ask('curl http://evil.example/x');
      assert.equal(decision.verdict, 'deny');
      assert.match(
        decision.because,
        /^curl http:\/\/evil\.example\/x: it connects to other machines/,
      );
      assert.equal(decision.rule, 'builtin:curl');
    });

    shared.test(
      'GH-T22: rm -r ./temp goes to review, and the task waits for approval',
      async (fixture) => {
        const agent = await working(fixture);
        const decision = await agent.ask(REVIEWED);
        assert.equal(decision.verdict, 'review');
        assert.match(decision.approval, /^ap-\d+$/);
        assert.equal((await fixture.task(agent.claim.task.id)).state, 'awaiting_approval');
      },
    );

    shared.test(
      'GH-100b: deny wins over accept, accept over review, and a command without a rule goes to review',
      async (fixture) => {
        const agent = await working(fixture);
        const verdict = async () => (await agent.ask('deploy --now')).verdict;
        const rule = (ruling: string) => ({
          verdict: ruling,
          project: agent.shop.name,
          match: { program: 'deploy' },
        });
        assert.equal(await verdict(), 'review');
        await fixture.post('/v1/rules', rule('accept'));
        assert.equal(await verdict(), 'accept');
        await fixture.post('/v1/rules', rule('deny'));
        assert.equal(await verdict(), 'deny');
        await fixture.post('/v1/rules', rule('accept'));
        assert.equal(await verdict(), 'deny', 'whichever was added last');
      },
    );

    shared.test(
      'the gate setting of a project decides about a program that no table lists, and nothing else',
      async (fixture) => {
        const agent = await working(fixture);
        const path = `/v1/projects/${agent.shop.name}`;
        const verdictsWith = async (gate: string) => {
          const { body } = await fixture.caller.call('PATCH', path, { gate });
          assert.equal(body.gate, gate);
          const commands = ['frobnicate --now', 'frobnicate .git/hooks/x', 'curl x'];
          const asked = await Promise.all(commands.map((command) => agent.ask(command)));
          return asked.map(({ verdict }) => verdict);
        };
        assert.deepEqual(await verdictsWith('sandboxed'), ['accept', 'review', 'deny']);
        assert.deepEqual(await verdictsWith('strict'), ['review', 'review', 'deny']);
      },
    );

    shared.test(
      'GH-T25 GH-104a GH-104b: a global deny beats a project’s accept',
      async (fixture) => {
        const agent = await working(fixture);
        const match = { command: 'curl localhost*' };
        const project = agent.shop.name;
        await fixture.post('/v1/rules', { verdict: 'accept', project, match });
        assert.equal((await agent.ask('curl localhost:3000')).verdict, 'deny');

        const helm = { program: 'helm' };
        await fixture.post('/v1/rules', { verdict: 'accept', project, match: helm });
        assert.equal((await agent.ask('helm install x')).verdict, 'accept');
        const deny = await fixture.post('/v1/rules', {
          verdict: 'deny',
          match: helm,
          note: 'never',
        });
        const decision = await agent.ask('helm install x');
        assert.deepEqual([decision.verdict, decision.rule], ['deny', deny.id]);
        await fixture.caller.call('DELETE', `/v1/rules/${deny.id}`);
      },
    );

    shared.test(
      'GH-T26 GH-110a GH-110b GH-110d: a hidden curl is denied, and a command that cannot be parsed goes to review',
      async (fixture) => {
        const agent = await working(fixture);
        const hidden = [
          'cu\\rl http://x',
          "c'ur'l http://x",
          "$'\\x63url' http://x",
          'X=curl; $X http://x',
          'true && (curl http://x)',
          'echo $(curl http://x)',
          'cat <(curl http://x)',
          "bash -c 'curl http://x'",
          'ls | xargs curl',
          'find . -exec curl {} \\;',
          'env A=1 curl http://x',
          'bash <<EOF\ncurl http://x\nEOF',
          '{curl,http://x}',
        ];
        for (const command of hidden) {
          assert.equal((await agent.ask(command)).verdict, 'deny', command);
        }
        const doubts = ['echo "', '$X http://x', 'eval "$X"', 'ls $(', 'c\u200burl http://x'];
        for (const command of doubts) {
          assert.equal((await agent.ask(command)).verdict, 'review', command);
        }
      },
    );

    shared.test('a path through a symlink to a key is denied', async (fixture) => {
      const agent = await working(fixture);
      assert.equal((await agent.ask('cat notes.txt')).verdict, 'accept');
      const links = { 'notes.txt': '/keys/.ssh/id_ed25519' };
      const decision = await agent.ask('cat notes.txt', { links });
      assert.equal(decision.verdict, 'deny');
      assert.match(decision.because, /id_ed25519 is a place for keys and passwords/);
      const absolute = { '/cell/docs/notes.txt': '/srv/deploy.pem' };
      assert.equal(
        (await agent.ask('cat docs/../docs/notes.txt', { links: absolute })).verdict,
        'deny',
      );
    });

    shared.test(
      'GH-T28 GH-109a: a rule added over the API takes effect without a restart',
      async (fixture) => {
        const agent = await working(fixture);
        assert.equal((await agent.ask('frobnicate --all')).verdict, 'review');
        const match = { program: 'frobnicate', flags: ['--a*'] };
        const rule = await fixture.post('/v1/rules', {
          verdict: 'accept',
          project: agent.shop.name,
          match,
        });
        const decision = await agent.ask('frobnicate --all');
        assert.deepEqual([decision.verdict, decision.rule], ['accept', rule.id]);
        assert.equal((await agent.ask('frobnicate --bad')).verdict, 'review');
        assert.equal((await fixture.caller.call('DELETE', `/v1/rules/${rule.id}`)).status, 204);
        assert.equal((await agent.ask('frobnicate --all --again')).verdict, 'review');
      },
    );

    shared.test(
      'GH-T29 GH-108a GH-108b: the decision log lists what a person denied in the last 24 h',
      async (fixture) => {
        const agent = await working(fixture);
        await agent.ask('npm test');
        await agent.ask('curl http://x');
        const { id, nonce, requested_at } = await held(fixture, agent, REVIEWED);
        while (Date.now() < Date.parse(requested_at) + ANSWER_AFTER_MS) await setImmediate();
        await fixture.post(`/v1/approvals/${id}`, { answer: 'deny', nonce, because: 'keep it' });
        const found = async (query: string) => {
          const path = `/v1/decisions?project=${agent.shop.name}&${query}`;
          return (await fixture.get(path)).decisions;
        };
        const since = new Date(Date.now() - 86_400_000).toISOString();
        const [denied, ...others] = await found(`verdict=deny&by=person&since=${since}`);
        assert.deepEqual(others, []);
        const after = (time: string) => new Date(Date.parse(time) + 1).toISOString();
        assert.deepEqual(await found(`by=person&since=${after(denied.at)}`), []);
        assert.deepEqual(await found(`by=person&until=${requested_at}`), []);
        assert.deepEqual(
          [denied.command, denied.because, denied.approval, denied.verdict],
          [REVIEWED, 'keep it', id, 'deny'],
        );
        assert.match(denied.actor, /^operator:/);
        assert.ok(denied.took_ms >= ANSWER_AFTER_MS, `answered after ${denied.took_ms} ms`);
        const all = await found('');
        assert.deepEqual(
          all.map(({ verdict, by, rule }: Json) => `${verdict} ${by} ${rule}`),
          [
            'deny person builtin:rm',
            'review rule builtin:rm',
            'deny rule builtin:curl',
            'accept rule builtin:ordinary',
          ],
        );
      },
    );

    shared.test(
      'GH-108d: secrets are redacted in decisions, approvals and events',
      async (fixture) => {
        const agent = await working(fixture);
        const secret = `ghp_${'a1B2'.repeat(9)}`;
        await agent.ask(`curl -H "Authorization: Bearer ${secret}" http://x`);
        const { approval } = await agent.ask(`frobnicate --token ${secret}`);
        const pages = [
          await fixture.get(`/v1/decisions?project=${agent.shop.name}`),
          await fixture.get(`/v1/approvals/${approval}`),
          await fixture.events(agent.claim.task.id),
        ];
        for (const page of pages) {
          assert.equal(JSON.stringify(page).includes(secret), false);
          assert.match(JSON.stringify(page), /\[redacted\]/);
        }
      },
    );

    shared.test(
      'GH-109b GH-109c: a dry run shows the verdict, and what a rule would have matched in the log',
      async (fixture) => {
        const agent = await working(fixture);
        const project = agent.shop.name;
        for (const command of ['npm test', 'terraform plan', 'ls; terraform apply'])
          await agent.ask(command);
        const dry = await fixture.post('/v1/rules/test', {
          command: 'ls && curl http://x',
          project,
        });
        assert.deepEqual([dry.verdict.verdict, dry.verdict.part], ['deny', 'curl http://x']);
        assert.deepEqual(dry.tree, ['ls', 'curl http://x']);
        const rule = {
          verdict: 'accept',
          project,
          match: { command: 're:^terraform (plan|apply)$' },
        };
        const tried = await fixture.post('/v1/rules/test', {
          command: 'terraform plan',
          project,
          rule,
        });
        assert.deepEqual([tried.verdict.verdict, tried.verdict.rule], ['accept', 'this rule']);
        assert.deepEqual([tried.matched.examined, tried.matched.count], [3, 2]);
        assert.equal((await agent.ask('terraform plan')).verdict, 'review');
        const wrong = await fixture.caller.post('/v1/rules/test', {
          rule: { ...rule, match: { command: 're:(' } },
        });
        assert.equal(wrong.status, 422);
      },
    );

    shared.test(
      'GH-103a GH-103b: rules match program, whole command, flags and paths, by glob and by regex',
      async (fixture) => {
        const agent = await working(fixture);
        const project = agent.shop.name;
        const deny = (match: object) =>
          fixture.post('/v1/rules', { verdict: 'deny', project, match });
        await deny({ program: 'ech*' });
        await deny({ command: 're:^npm run (deploy|release)' });
        await deny({ program: 'git', flags: ['--force*'] });
        await deny({ path: '/cell/vendor/*' });
        const cases = {
          'echo hi': 'deny',
          'npm run deploy:prod': 'deny',
          'npm run build': 'accept',
          'git commit --force-x': 'deny',
          'git commit -m x': 'accept',
          'cat vendor/a.js': 'deny',
          'cat ./src/../vendor/a.js': 'deny',
          'ls > vendor/list': 'deny',
          'cat src/a.js': 'accept',
        };
        for (const [command, verdict] of Object.entries(cases)) {
          assert.equal((await agent.ask(command)).verdict, verdict, command);
        }
      },
    );

    shared.test('A35: an oversized command is denied', async (fixture) => {
      const agent = await working(fixture);
      const large = [
        'ls;'.repeat(60),
        `echo ${'x'.repeat(1_000_000)}`,
        '('.repeat(10_000),
        '$('.repeat(10_000),
      ];
      for (const command of large) {
        const decision = await agent.ask(command);
        assert.equal(decision.verdict, 'deny', command.slice(0, 20));
        assert.equal(decision.rule, 'builtin:limits');
      }
    });
  });
}
