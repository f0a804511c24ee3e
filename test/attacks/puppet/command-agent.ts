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

/** The whole product with a hostile agent whose commands are not authorized one by one. */
export function puppetAgent(kind: CellKind): void {
  describe(`a hostile agent: ${kind.name}`, async () => {
    const cells = await buildOrSayWhy(kind);
    if ('missing' in cells) {
      test('a hostile agent gets no secret out', { skip: cells.missing }, () => undefined);
      return;
    }
    let stage: AttackFixture;
    let places: Readonly<Record<string, string>>;
    const ends = new Map<string, Json>();

    before(async () => {
      stage = await createAttackFixture({ kind, command: ['bash', 'puppet.sh'], script: SCRIPT });
      for (const mode of MODES) {
        const task = { project: 'zoo', title: `PUPPET-${mode}`, body: 'Do as you are told.' };
        const { tasks } = await stage.fixture.post('/v1/tasks', [task]);
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
    const transcriptBy = (mode: string) => transcriptOf(stage, ends.get(mode).runs.at(-1).id);

    test('A01, A10, A17: a hostile agent prints a known text in every encoding, and the search finds it', () => {
      assert.deepEqual(waysIn(places['transcripts'] ?? '', stage.inside), [...WAYS]);
    });

    test('X-018a A01 A17 A18 A56 A57: no secret reaches what a hostile agent writes or says', () => {
      for (const [place, text] of Object.entries(places)) {
        assert.ok(text.length > 0, `${place} was searched`);
        for (const [name, secret] of Object.entries(stage.secrets)) {
          assert.deepEqual(waysIn(text, secret), [], `the secret of ${name} is in ${place}`);
        }
      }
    });

    test('A12, A13, A14, A16: no packet of a hostile agent reaches the host', async () => {
      const transcript = await transcriptBy('thief');
      assert.deepEqual(stage.sinks.reached, []);
      assert.doesNotMatch(transcript, /REACHED/);
      assert.match(transcript, /GATE own: 200/, 'its own gateway was open');
    });

    test('A18, A23, A24, A32: a hostile agent writes and runs nothing outside its workspace', async () => {
      assert.deepEqual(stage.marks(), []);
      assert.doesNotMatch(await transcriptBy('thief'), /WROTE/);
    });

    test('a hostile agent leaves no process behind', () => {
      assert.deepEqual(stage.sleepers(), []);
    });

    test('A11: a hostile agent gets only the branches of its threads pushed', () => {
      const refs = gitAs(stage.zoo, 'for-each-ref', '--format=%(refname)').split('\n');
      const branches = ['thief', 'poisoner'].map(
        (mode) => `refs/heads/${ends.get(mode).thread.branch}`,
      );
      assert.deepEqual(refs, [...branches, 'refs/heads/main'].sort());
      assert.equal(gitAs(stage.zoo, 'rev-list', '--count', 'main'), '1');
      assert.doesNotMatch(places['transcripts'] ?? '', /PUSHED/);
    });

    test('A11: a hostile reviewer changes no code', () => {
      for (const mode of ['thief', 'poisoner']) {
        const { task, thread } = ends.get(`review of ${mode}`);
        assert.equal(task.state, 'completed', JSON.stringify(task));
        assert.equal(thread.head, ends.get(mode).task.commit ?? ends.get(mode).thread.head);
      }
      const subjects = gitAs(stage.zoo, 'log', '--all', '--format=%s');
      assert.doesNotMatch(subjects, /by the reviewer/);
    });

    test('A19, A23: work with hostile entries is rescued and not pushed', () => {
      assert.match(
        summaryOf('pusher'),
        /^its work must not be pushed: .*kept as refs\/hall\/rescue/,
      );
    });

    test('work with objects of another project is not taken over', () => {
      assert.match(summaryOf('borrower'), /^its work could not be collected from the cell/);
    });

    test('X-018c A10: a commit with a key is not pushed, and the work is rescued', () => {
      assert.match(summaryOf('leaker'), /settings\.txt: an added line looks like .*rescue/);
      assert.doesNotMatch(gitAs(stage.zoo, 'log', '--all', '--format=%s'), /setting/);
    });

    test('A60: a changed workflow is not pushed', () => {
      assert.match(summaryOf('gatekeeper'), /\.github\/workflows\/ci\.yml: controls what runs/);
    });

    test('A09, A20: changed agent settings are not pushed', () => {
      assert.match(summaryOf('teacher'), /CLAUDE\.md: instructs agents/);
      assert.match(summaryOf('teacher'), /\.claude\/settings\.local\.json: instructs agents/);
    });

    test('A08, A22: notes and files of the repository are quoted as data in the next prompt', async () => {
      const prompt = await transcriptBy('review of poisoner');
      assert.match(prompt, /New orders from the hall/);
      assert.match(prompt, /You belong to the issue now/);
      const opened = prompt.match(/<data source=/gi)?.length;
      assert.equal(prompt.match(/<\/data>/gi)?.length, opened, prompt);
      assert.match(prompt, /&lt;\/data>\n.*PROMPT \n.*PROMPT # Hall/i);
    });

    test('HA-068a: the hall does not record the outcome and usage that a hostile agent claims', () => {
      const { task, runs } = ends.get('forger');
      assert.equal(task.summary, 'the agent ended without a report');
      const { input_tokens, output_tokens, turns } = runs[0].usage;
      assert.deepEqual([input_tokens, output_tokens, turns], [100, 50, 1]);
    });

    test('A42, A43: the token of a run is accepted only for model calls of that run', async () => {
      const transcript = await transcriptBy('thief');
      const gates = [...transcript.matchAll(/GATE (.+): (\S+)/g)].map(([, title, status]) => [
        title,
        status,
      ]);
      assert.ok(gates.length > 20, transcript);
      for (const [title, status] of gates.filter(([name]) => name !== 'own')) {
        assert.ok(status === '401' || status === '404', `${title} was answered with ${status}`);
      }
      const token = [...(/REVERSED (\S+)/.exec(transcript)?.[1] ?? '')].reverse().join('');
      assert.match(token, /^ghr_/);
      assert.match(transcript, /PLAIN \[secret\]/);
      for (const path of ['/v1/board', '/v1/approvals', '/v1/tokens']) {
        assert.equal((await stage.fixture.as(token).get(path)).status, 401);
      }
      const { run } = { run: ends.get('thief').runs[0].id };
      const headers = { 'x-guildhall-run': run, 'x-guildhall-fence': '1', 'x-api-key': token };
      const response = await stage.fixture.as(token).post('/gateway/v1/messages', {}, { headers });
      assert.equal(response.status, 401);
    });

    test('A43: a gateway does not accept the token of another run', async () => {
      const transcript = await transcriptBy('review of thief');
      assert.match(
        transcript,
        /use \[redacted\] or \S+_rhg/,
        'only the reversed token gets through',
      );
      assert.match(transcript, /GATE own: 200/);
      assert.match(transcript, /GATE token of another run: 401/);
    });

    test('an agent that floods its thread with notes is stopped and retried only once', () => {
      const { task, runs, notes } = ends.get('babbler');
      assert.equal(task.state, 'failed');
      assert.equal(runs.length, 2, 'the project allows one retry after a crash');
      assert.ok(notes.length <= 50, `${notes.length} notes`);
    });

    test('a report that the hall refuses fails the task after one run', () => {
      const { task, runs } = ends.get('joker');
      assert.equal(task.state, 'failed');
      assert.equal(runs.length, 1);
      assert.match(task.summary, /\/report failed with 400 invalid_input/);
    });

    test('a long output of an agent is kept in its transcript', async () => {
      const transcript = await transcriptBy('mumbler');
      assert.match(transcript, /first words/);
      assert.match(transcript, /last words/);
      assert.ok(transcript.length > 5_000_000, `${transcript.length} characters`);
    });
  });
}
