import assert from 'node:assert/strict';
import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { guildhall } from '../acceptance/cli-command.ts';
import { write } from '../support/git-fixture.ts';
import { type Json, until } from '../support/hall-fixture.ts';
import { runsInTier, testIn } from '../support/tier.ts';
import { WAITS, WorkersFixture, whyNoWorkers } from '../support/worker-fixture.ts';

const MAKE = 'mkdir temp && touch temp/x';
const REMOVE = 'rm -r ./temp';
const TOOL = 'echo the tool that was shown\n';
const SWAPPED = 'rm -r ./temp && sh tool.sh';

/** What the model wants to run, by the title of the task. */
const COMMANDS = {
  straight: [
    'node --test',
    'curl http://evil.example/x',
    'cu\\rl http://evil.example/x',
    'curl localhost:3000',
    'cat notes.txt',
    'cd docs',
    'pwd',
  ],
  reviewed: [MAKE, REMOVE, MAKE, REMOVE, 'ls temp'],
  swapped: [MAKE, SWAPPED, WAITS, SWAPPED],
  promoted: [MAKE, REMOVE, MAKE, REMOVE],
  afterwards: [MAKE, REMOVE, 'ls -d temp'],
  ruled: ['mkdir ruled; wc -l README.md', WAITS, 'wc -l README.md', 'rm -r ./ruled && echo gone'],
} as const;

type Title = keyof typeof COMMANDS;

const fullTest = testIn('full');
const test = testIn('test');

describe('the tool gate', { skip: await whyNoWorkers() }, () => {
  let stage: WorkersFixture;
  const tasks = new Map<Title, string>();

  before(async () => {
    stage = await WorkersFixture.open({
      script: scriptOf(COMMANDS),
      files,
      project: { max_workers: 1 },
    });
  });
  after(() => stage?.[Symbol.asyncDispose]());

  const begin = async (title: Title) => tasks.set(title, await stage.post({ title }));
  const taskOf = (title: Title) => tasks.get(title) ?? assert.fail(`${title} was not begun`);
  const through = async (title: Title) => {
    await stage.reaches(taskOf(title), 'completed');
    return stage.resultsIn(title);
  };
  const cli = (...args: string[]) => typedAt(stage, args);

  /** Waits for the approval of a command. */
  const question = (title: Title, command: string): Promise<Json> =>
    until(`${command} of ${title} waits for a person`, async () => {
      const { approvals } = await stage.fixture.get('/v1/approvals');
      return approvals.find(
        (each: Json) => each.task === taskOf(title) && each.command === command,
      );
    });

  if (runsInTier('test'))
    describe('without a person', () => {
      let results: readonly string[];

      before(async () => {
        await cli(
          ...'rules add --verdict accept --project shop --command'.split(' '),
          'curl localhost*',
        );
        await begin('straight');
        results = await through('straight');
      });

      it('GH-T20 GH-100a GH-105a: a test runner is accepted and runs, and its output reaches the model', () => {
        assert.match(results[0] ?? '', /the shop opens[\s\S]*pass 1\b/);
      });

      it('GH-T21 GH-100a GH-105b: curl is denied, and the model reads why', () => {
        assert.match(
          results[1] ?? '',
          /curl http:\/\/evil\.example\/x: it connects to other machines/,
        );
      });

      it('GH-T26 GH-110b: curl in another spelling is denied as curl', () => {
        assert.match(
          results[2] ?? '',
          /curl http:\/\/evil\.example\/x: it connects to other machines/,
        );
      });

      it('GH-T25 GH-104b: a global deny overrides a project accept', async () => {
        assert.match(results[3] ?? '', /curl localhost:3000: it connects to other machines/);
        const { rules } = JSON.parse(await cli('rules', 'list', '--json'));
        assert.deepEqual([rules[0].verdict, rules[0].project], ['accept', 'shop']);
      });

      it('GH-T27 GH-110c: a path to a key through a symbolic link in the repository is denied', () => {
        assert.match(results[4] ?? '', /\.ssh\/id_ed25519 is a place for keys and passwords/);
      });

      it('a command does not start in the folder that an earlier command changed to', () => {
        assert.doesNotMatch(
          results[6] ?? '',
          /\/docs$/m,
          'it was judged in the folder of the work',
        );
      });
    });

  test('GH-T22 GH-100a GH-105c GH-107a: rm -r ./temp waits for a person and runs once per approval', async () => {
    await begin('reviewed');
    const first = await question('reviewed', REMOVE);
    assert.equal((await stage.fixture.task(taskOf('reviewed'))).state, 'awaiting_approval');
    assert.match(await cli('approvals', 'list'), new RegExp(`${first.id} .* shop .* rm -r ./temp`));
    assert.deepEqual([first.title, first.before[0].command], ['reviewed', MAKE]);
    assert.equal(stage.resultsIn('reviewed').length, 1, 'the model waits for the answer');
    const temp = join(await stage.tree(), 'temp/x');
    assert.ok(existsSync(temp), 'it did not run');

    assert.match(await cli('approvals', 'approve', first.id), /is approved/);
    const second = await question('reviewed', REMOVE);
    assert.notEqual(second.id, first.id);
    assert.ok(existsSync(temp), 'it was made again after it had run');
    await cli('approvals', 'deny', second.id, '--because', 'keep it this time');
    const results = await through('reviewed');
    assert.doesNotMatch(results[1] ?? '', /denied/);
    assert.match(results[3] ?? '', /denied by operator:.*keep it this time/);
    assert.match(results[4] ?? '', /^x$/m);
  });

  test('GH-T29 GH-108b: the log lists what people denied in the last 24 h', async () => {
    const since = new Date(Date.now() - 86_400_000).toISOString();
    const asked = ['rules', 'audit', '--verdict', 'deny', '--by', 'person', '--since', since];
    const { decisions } = JSON.parse(await cli(...asked, '--json'));
    const told = decisions.map(({ command, because, task }: Json) => [command, because, task]);
    assert.deepEqual(told, [[REMOVE, 'keep it this time', taskOf('reviewed')]]);
    const after = new Date(Date.parse(decisions[0].at) + 1).toISOString();
    const later = await cli('rules', 'audit', '--by', 'person', '--since', after, '--json');
    assert.deepEqual(JSON.parse(later).decisions, []);
  });

  fullTest('A39: a script that changed after its approval needs another approval', async () => {
    await begin('swapped');
    const first = await question('swapped', SWAPPED);
    const tree = await stage.tree();
    write(tree, { 'tool.sh': 'echo another tool\n' });
    await cli('approvals', 'approve', first.id);
    const second = await question('swapped', SWAPPED);
    assert.notEqual(second.id, first.id);
    await cli('approvals', 'deny', second.id, '--because', 'this is not what I saw');
    await stage.waitingAgent();
    write(tree, { 'tool.sh': TOOL, go: '' });
    const [, refused = '', , ran = ''] = await through('swapped');
    assert.match(refused, /this is not what I saw/);
    assert.doesNotMatch(refused, /another tool/);
    assert.match(ran, /the tool that was shown/);
  });

  fullTest(
    'GH-T24 GH-107b: an approval with promote adds a rule that accepts the command next time',
    async () => {
      await begin('promoted');
      const { id } = await question('promoted', REMOVE);
      await cli('approvals', 'approve', id, '--promote', 'project');
      await through('promoted');
      await begin('afterwards');
      const results = await through('afterwards');
      assert.match(results[2] ?? '', /No such file/);
      const { decisions } = JSON.parse(
        await cli('rules', 'audit', '--verdict', 'accept', '--json'),
      );
      const removals = decisions.filter(
        ({ command, rule }: Json) => command === REMOVE && /^ru-/.test(rule),
      );
      const [now, before] = [taskOf('afterwards'), taskOf('promoted')];
      assert.deepEqual(
        removals.map(({ task }: Json) => task),
        [now, before, before],
      );
    },
  );

  fullTest('GH-T28 GH-109a: rules added over the API apply to the active run', async () => {
    await begin('ruled');
    const tree = await stage.waitingAgent();
    const worker = await stage.worker();
    const denied = { verdict: 'deny', match: { program: 'wc' }, note: 'count by hand' };
    await stage.fixture.post('/v1/rules', denied);
    const accepted = { verdict: 'accept', project: 'shop', match: { command: 'rm -r ./ruled' } };
    await stage.fixture.post('/v1/rules', accepted);
    write(tree, { go: '' });
    const results = await through('ruled');
    assert.match(results[0] ?? '', /^1 README\.md$/m);
    assert.match(results[2] ?? '', /count by hand/);
    assert.match(results[3] ?? '', /^gone$/m);
    assert.equal(await stage.worker(), worker, 'it is the same process');
  });
});

describe('an approval without an answer', { skip: await whyNoWorkers() }, () => {
  fullTest(
    'GH-T23 GH-107c: an unanswered approval is denied after the timeout, and the agent continues',
    async () => {
      const commands = { unanswered: [MAKE, REMOVE, 'ls temp'] };
      const hall = { approval_timeout: '1s' };
      await using stage = await WorkersFixture.open({ script: scriptOf(commands), hall });
      await stage.reaches(await stage.post({ title: 'unanswered' }), 'completed');
      const results = stage.resultsIn('unanswered');
      assert.match(results[1] ?? '', /denied: nobody answered in time/);
      assert.match(results[2] ?? '', /^x$/m);
    },
  );
});

function files(work: string): void {
  write(work, {
    'shop.test.js': "require('node:test')('the shop opens', () => undefined);\n",
    'tool.sh': TOOL,
    'docs/README.md': '# Docs\n',
  });
  symlinkSync('/agent/.ssh/id_ed25519', join(work, 'notes.txt'));
}

/** One scene for each task: the commands, each as a turn of its own, and a report. */
function scriptOf(commands: Readonly<Record<string, readonly string[]>>): string {
  const report = { outcome: 'completed', summary: 'done' };
  const scenes = Object.entries(commands).map(([title, each]) => ({
    name: title,
    when: { prompt: title },
    steps: [
      ...each.map((command) => ({ use: { tool: 'Bash', input: { command } } })),
      { use: { tool: 'mcp__hall__report', input: report } },
      'end',
    ],
  }));
  return `scenes: ${JSON.stringify(scenes)}`;
}

async function typedAt({ hall }: WorkersFixture, args: readonly string[]): Promise<string> {
  const ended = await guildhall([...args, '--config', hall.config], { cwd: hall.folder });
  assert.equal(ended.code, 0, ended.stderr);
  return ended.stdout;
}
