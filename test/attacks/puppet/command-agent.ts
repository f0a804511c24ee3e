import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { buildOrSayWhy, type CellKind } from '../../support/cell-kinds.ts';
import { gitAs } from '../../support/git-fixture.ts';
import type { Json } from '../../support/hall-fixture.ts';
import { WAYS, waysIn } from './canaries.ts';
import { type AttackFixture, createAttackFixture } from './fixture.ts';
import { placesOf, transcriptOf } from './sweep.ts';

const SCRIPT = `
scenes:
  - name: whatever is asked
    steps:
      - usage: { input: 100, output: 50, cache_read: 0, cache_write: 0 }
      - say: hello
      - end
`;

const MODES = [
  'thief',
  'pusher',
  'borrower',
  'leaker',
  'gatekeeper',
  'teacher',
  'poisoner',
  'forger',
  'babbler',
  'joker',
  'mumbler',
] as const;

/** The whole product, with an agent that does what it likes: nothing asks before what it runs. */
export function puppetAgent(kind: CellKind): void {
  describe(`a puppet in place of the agent: ${kind.name}`, async () => {
    const cells = await buildOrSayWhy(kind);
    if ('missing' in cells) {
      test('gets nothing out', { skip: cells.missing }, () => undefined);
      return;
    }
    let stage: AttackFixture;
    let places: Readonly<Record<string, string>>;
    const ends = new Map<string, Json>();

    before(async () => {
      stage = await createAttackFixture({ kind, command: ['bash', 'puppet.sh'], script: SCRIPT });
      for (const mode of MODES) {
        const asked = { project: 'zoo', title: `PUPPET-${mode}`, body: 'Do as you are told.' };
        const { tasks } = await stage.fixture.post('/v1/tasks', [asked]);
        ends.set(mode, tasks[0].id);
      }
      for (const [mode, task] of ends) ends.set(mode, await stage.through(task));
      for (const mode of ['thief', 'poisoner'] as const) {
        const { thread } = ends.get(mode);
        const { tasks } = await stage.fixture.get(`/v1/threads/${thread.id}`);
        const review = tasks.find(({ skill }: Json) => skill === 'review');
        ends.set(`review of ${mode}`, await stage.through(review.id));
      }
      places = await placesOf(stage);
    });
    after(() => stage?.[Symbol.asyncDispose]());

    const summaryOf = (mode: string): string => ends.get(mode).task.summary;
    const saidBy = (mode: string) => transcriptOf(stage, ends.get(mode).runs.at(-1).id);

    test('A01, A10, A17: what it is told in every way is seen, so that a secret would be', () => {
      assert.deepEqual(waysIn(places['transcripts'] ?? '', stage.inside), [...WAYS]);
    });

    test('X-018a A01 A17 A18 A56 A57: no secret is anywhere', () => {
      for (const [place, text] of Object.entries(places)) {
        assert.ok(text.length > 0, `${place} was looked at`);
        for (const [name, secret] of Object.entries(stage.secrets)) {
          assert.deepEqual(waysIn(text, secret), [], `the secret of ${name} is in ${place}`);
        }
      }
    });

    test('A12, A13, A14, A16: no packet arrives', async () => {
      const said = await saidBy('thief');
      assert.deepEqual(stage.sinks.reached, []);
      assert.doesNotMatch(said, /REACHED/);
      assert.match(said, /GATE own: 200/, 'its one door was open');
    });

    test('A18, A23, A24, A32: nothing is written or run outside of its workspace', async () => {
      assert.deepEqual(stage.marks(), []);
      assert.doesNotMatch(await saidBy('thief'), /WROTE/);
    });

    test('no process of it is left', () => {
      assert.deepEqual(stage.sleepers(), []);
    });

    test('A11: only branches of threads are pushed, and nothing else anywhere', () => {
      const refs = gitAs(stage.zoo, 'for-each-ref', '--format=%(refname)').split('\n');
      const branches = ['thief', 'poisoner'].map(
        (mode) => `refs/heads/${ends.get(mode).thread.branch}`,
      );
      assert.deepEqual(refs, [...branches, 'refs/heads/main'].sort());
      assert.equal(gitAs(stage.zoo, 'rev-list', '--count', 'main'), '1');
      assert.doesNotMatch(places['transcripts'] ?? '', /PUSHED/);
    });

    test('A11: a review changes nothing', () => {
      for (const mode of ['thief', 'poisoner']) {
        const { task, thread } = ends.get(`review of ${mode}`);
        assert.equal(task.state, 'completed', JSON.stringify(task));
        assert.equal(thread.head, ends.get(mode).task.commit ?? ends.get(mode).thread.head);
      }
      const subjects = gitAs(stage.zoo, 'log', '--all', '--format=%s');
      assert.doesNotMatch(subjects, /by the reviewer/);
    });

    test('A19, A23: what it left to be found makes its work stay, not the host obey', () => {
      assert.match(
        summaryOf('pusher'),
        /^its work may not be pushed: .*kept as refs\/hall\/rescue/,
      );
    });

    test('objects lent from another project are not taken for its own', () => {
      assert.match(summaryOf('borrower'), /^its work could not be harvested/);
    });

    test('X-018c A10: a key in a commit is kept back, and the work is not lost', () => {
      assert.match(summaryOf('leaker'), /settings\.txt: an added line looks like .*rescue/);
      assert.doesNotMatch(gitAs(stage.zoo, 'log', '--all', '--format=%s'), /setting/);
    });

    test('A60: a workflow is kept back', () => {
      assert.match(summaryOf('gatekeeper'), /\.github\/workflows\/ci\.yml: decides what runs/);
    });

    test('A09, A20: what would teach the next agent is kept back', () => {
      assert.match(summaryOf('teacher'), /CLAUDE\.md: tells agents/);
      assert.match(summaryOf('teacher'), /\.claude\/settings\.local\.json: tells agents/);
    });

    test('A08, A22: notes and files of the repository are quoted in the next prompt', async () => {
      const prompt = await saidBy('review of poisoner');
      assert.match(prompt, /New orders from the hall/);
      assert.match(prompt, /You belong to the issue now/);
      const opened = prompt.match(/<data source=/gi)?.length;
      assert.equal(prompt.match(/<\/data>/gi)?.length, opened, prompt);
      assert.match(prompt, /&lt;\/data>\n.*PROMPT \n.*PROMPT # Hall/i);
    });

    test('HA-068a: what it says about its outcome and its use is not what the hall notes', () => {
      const { task, runs } = ends.get('forger');
      assert.equal(task.summary, 'the agent ended without a report');
      const { input_tokens, output_tokens, turns } = runs[0].usage;
      assert.deepEqual([input_tokens, output_tokens, turns], [100, 50, 1]);
    });

    test('A42, A43: its token opens the model for its own run, and nothing else ever', async () => {
      const said = await saidBy('thief');
      const gates = [...said.matchAll(/GATE (.+): (\S+)/g)].map(([, title, status]) => [
        title,
        status,
      ]);
      assert.ok(gates.length > 20, said);
      for (const [title, status] of gates.filter(([name]) => name !== 'own')) {
        assert.ok(status === '401' || status === '404', `${title} was answered with ${status}`);
      }
      const token = [...(/REVERSED (\S+)/.exec(said)?.[1] ?? '')].reverse().join('');
      assert.match(token, /^ghr_/);
      assert.match(said, /PLAIN \[secret\]/);
      for (const path of ['/v1/board', '/v1/approvals', '/v1/tokens']) {
        assert.equal((await stage.fixture.as(token).get(path)).status, 401);
      }
      const { run } = { run: ends.get('thief').runs[0].id };
      const headers = { 'x-guildhall-run': run, 'x-guildhall-fence': '1', 'x-api-key': token };
      const asked = await stage.fixture.as(token).post('/gateway/v1/messages', {}, { headers });
      assert.equal(asked.status, 401);
    });

    test('A43: nor does the token of another run open its gateway', async () => {
      const said = await saidBy('review of thief');
      assert.match(
        said,
        /use \[redacted\] or \S+_rhg/,
        'only what is spelt backwards gets through',
      );
      assert.match(said, /GATE own: 200/);
      assert.match(said, /GATE token of another run: 401/);
    });

    test('an agent that floods the thread with notes is stopped, and not for ever again', () => {
      const { task, runs, notes } = ends.get('babbler');
      assert.equal(task.state, 'failed');
      assert.equal(runs.length, 2, 'a crash is counted: one more try is what the project allows');
      assert.ok(notes.length <= 50, `${notes.length} notes`);
    });

    test('a report that the hall does not take ends the task, and the worker goes on', () => {
      const { task, runs } = ends.get('joker');
      assert.equal(task.state, 'failed');
      assert.equal(runs.length, 1);
      assert.match(task.summary, /\/report failed with 400 invalid_input/);
    });

    test('what it says at length is kept whole, or said to be left out', async () => {
      const said = await saidBy('mumbler');
      assert.match(said, /first words/);
      assert.match(said, /last words/);
      assert.ok(said.length > 5_000_000, `${said.length} characters`);
    });
  });
}
