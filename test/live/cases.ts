import assert from 'node:assert/strict';
import { type Json, until } from '../support/hall-fixture.ts';
import type { WorkersFixture } from '../support/worker-fixture.ts';
import { commitTo, posted, pullRequest, type SkillCase } from './case.ts';

const bash = (command: string) => ({ use: { tool: 'Bash', input: { command } } });
const hall = (tool: string, input: object) => ({ use: { tool: `mcp__hall__${tool}`, input } });
const report = (outcome: string, more: object = {}) =>
  hall('report', { outcome, summary: 'rehearsed', ...more });
const commit = (message: string) => bash(`git add -A && git commit -qm '${message}'`);
const replace = (from: string, to: string) => bash(`sed -i 's/${from}/${to}/' price.js`);
const part = (ref: string) => hall('propose_child', { ref, title: `Build ${ref}`, body: ref });

const DOLLARS = {
  title: 'Show prices in dollars',
  body: 'price(500) should be $5.00 and not €5.00. Change the test too.',
};

/** The change that was asked for, but for the decimals. */
const ONE_DECIMAL = {
  'price.js': "export const price = (cents) => '$' + (cents / 100).toFixed(1);\n",
};
const WITHOUT_TEST = {
  'price.js': "export const price = (cents) => '$' + (cents / 100).toFixed(2);\n",
};

const threadOf = async ({ fixture }: WorkersFixture, whole: Json): Promise<Json> =>
  (await fixture.get(`/v1/threads/${whole.thread.id}`)).thread;

function completed({ task }: Json, outcome: string): void {
  assert.deepEqual([task.state, task.outcome], ['completed', outcome], JSON.stringify(task));
}

const nothingIsPushed = (stage: WorkersFixture) => assert.deepEqual(stage.pushed(), []);

export const CASES: readonly SkillCase[] = [
  {
    skill: 'implement',
    types: ['dev'],
    begin: (stage) => stage.post(DOLLARS),
    rehearsal: [
      replace('€', '\\$'),
      bash("sed -i 's/€/$/' price.test.js && node --test"),
      commit('Show dollars'),
      report('pr_created'),
    ],
    sees: (stage, whole) => {
      completed(whole, 'pr_created');
      const [{ branch = '' } = {}] = stage.pushed();
      assert.match(stage.fileOn(branch, 'price.js'), /\$/);
      assert.match(stage.fileOn(branch, 'price.test.js'), /\$/);
    },
  },
  {
    skill: 'review',
    types: ['dev', 'reviewer'],
    begin: async (stage) => {
      const { thread } = await pullRequest(stage, { ...DOLLARS, files: ONE_DECIMAL });
      return posted(stage, thread, 'review');
    },
    rehearsal: [
      bash('git diff main...HEAD'),
      report('comment_posted', { verdict: 'changes_requested', details: 'Cents are cut off.' }),
    ],
    sees: async (stage, whole) => {
      completed(whole, 'comment_posted');
      assert.equal((await threadOf(stage, whole)).verdict.is, 'changes_requested');
    },
  },
  {
    skill: 'address-review',
    types: ['dev'],
    begin: async (stage) => {
      const { thread } = await pullRequest(stage, { ...DOLLARS, files: WITHOUT_TEST });
      const text = 'The test in price.test.js still wants euros. Change it to dollars.';
      await stage.fixture.post(`/v1/threads/${thread}/review`, {
        verdict: 'changes_requested',
        text,
      });
      return posted(stage, thread, 'address-review');
    },
    rehearsal: [
      bash("sed -i 's/€/$/' price.test.js && node --test"),
      commit('Want dollars'),
      report('completed'),
    ],
    sees: async (stage, whole) => {
      completed(whole, 'completed');
      const { branch } = await threadOf(stage, whole);
      assert.match(stage.fileOn(branch, 'price.test.js'), /\$12\.34/);
    },
  },
  {
    skill: 'fix-ci',
    types: ['dev'],
    project: { checks: [{ name: 'tests', run: 'node --test' }] },
    begin: async (stage) => {
      const { thread } = await pullRequest(stage, { ...DOLLARS, files: WITHOUT_TEST });
      return posted(stage, thread, 'fix-ci');
    },
    rehearsal: [
      bash('node --test'),
      bash("sed -i 's/€/$/' price.test.js && node --test"),
      commit('Want dollars'),
      report('completed'),
    ],
    sees: async (stage, whole) => {
      completed(whole, 'completed');
      await until('the checks are green', async () => {
        const { checks } = await threadOf(stage, whole);
        return checks?.is === 'green';
      });
    },
  },
  {
    skill: 'rebase',
    types: ['dev'],
    begin: async (stage) => {
      const files = { 'price.js': WITHOUT_TEST['price.js'].replace('price =', 'price =\n ') };
      const { thread } = await pullRequest(stage, { ...DOLLARS, files });
      commitTo(
        stage,
        'main',
        { 'price.js': `${WITHOUT_TEST['price.js']}// all taxes are in\n` },
        'Say so',
      );
      await stage.fixture.post(`/v1/threads/${thread}/merge`);
      return posted(stage, thread, 'rebase');
    },
    rehearsal: [
      bash('git rebase main || git status'),
      bash("git checkout --ours price.js && echo '// in dollars' >> price.js && git add price.js"),
      bash('git rebase --continue'),
      report('completed'),
    ],
    sees: async (stage, whole) => {
      completed(whole, 'completed');
      await until('it is merged', async () => (await threadOf(stage, whole)).pr.state === 'merged');
      assert.match(stage.fileOn('main', 'price.js'), /all taxes are in/);
    },
  },
  {
    skill: 'merge',
    types: ['boss'],
    begin: (stage) => stage.post({ ...DOLLARS, skill: 'merge' }),
    rehearsal: [bash('git log --oneline -3'), report('completed')],
    sees: (stage, { task }) => {
      assert.ok(['completed', 'failed'].includes(task.state), JSON.stringify(task));
      nothingIsPushed(stage);
    },
  },
  {
    skill: 'breakdown',
    types: ['boss', 'dev'],
    begin: (stage) => {
      const title = 'Break down specs/stock.md';
      return stage.post({ title, body: 'One issue for each section.', skill: 'breakdown' });
    },
    rehearsal: [bash('cat specs/stock.md'), part('count'), part('warn'), report('completed')],
    sees: (stage, whole) => {
      completed(whole, 'completed');
      assert.equal(whole.children.length, 2);
      nothingIsPushed(stage);
    },
  },
  {
    skill: 'triage',
    types: ['boss', 'dev'],
    project: { max_workers: 1 },
    begin: (stage) => stage.post({ ...DOLLARS, skill: 'triage' }),
    rehearsal: [
      hall('note', { text: 'Prices are made in price.js.' }),
      report('rerouted', { agent: 'dev-default' }),
    ],
    sees: async (stage, whole) => {
      completed(whole, 'rerouted');
      const { tasks } = await stage.fixture.get(`/v1/threads/${whole.thread.id}`);
      const next = tasks.find(({ skill }: Json) => skill === 'implement');
      assert.equal(next?.type, 'dev');
    },
  },
  {
    skill: 'decompose',
    types: ['boss', 'dev'],
    begin: (stage) => {
      const body =
        'Sell in five countries: each has its own currency, tax, order of address, language and way to pay.';
      return stage.post({ title: 'Sell abroad', body, size: 'XL' });
    },
    rehearsal: [...['a', 'b', 'c', 'd', 'e'].map(part), report('completed')],
    sees: (stage, whole) => {
      completed(whole, 'completed');
      assert.ok(whole.children.length >= 5, `${whole.children.length} parts`);
      nothingIsPushed(stage);
    },
  },
  {
    skill: 'advise',
    types: ['dev'],
    begin: (stage) => stage.post({ ...DOLLARS, skill: 'advise' }),
    rehearsal: [
      replace('€', '\\$'),
      commit('Not asked for'),
      report('comment_posted', { details: 'Change the sign in price.js and its test.' }),
    ],
    sees: (stage, whole) => {
      completed(whole, 'comment_posted');
      nothingIsPushed(stage);
    },
  },
  {
    skill: 'research',
    types: ['dev'],
    begin: (stage) => {
      const body = 'Which currency does price.js use, and which test shows it?';
      return stage.post({ title: 'Which currency?', body, skill: 'research' });
    },
    rehearsal: [bash('cat price.js'), report('comment_posted', { details: 'Euro: price.js:1.' })],
    sees: (stage, whole) => {
      completed(whole, 'comment_posted');
      nothingIsPushed(stage);
    },
  },
  {
    skill: 'post-mortem',
    types: ['boss'],
    begin: (stage) => {
      const body =
        'The last run failed: it ran `npm test`, and this repository has no such script. It gave up then.';
      return stage.post({ title: 'Why did prices fail?', body, skill: 'post-mortem' });
    },
    rehearsal: [bash('cat package.json'), report('comment_posted')],
    sees: (stage, whole) => {
      completed(whole, 'comment_posted');
      nothingIsPushed(stage);
    },
  },
];
