import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gitAs, write } from '../support/git-fixture.ts';
import { WorkersFixture, whyNoWorkers } from '../support/worker-fixture.ts';

const OLD = '## Tests\n\nThey are run with make.\n';

/** Runs a command, and reports that there is a change. */
function steps(command: string): string {
  return `
      - use: { tool: Bash, input: { command: ${JSON.stringify(command)} } }
      - use: { tool: mcp__hall__report, input: { outcome: pr_created, summary: Done. } }
      - end`;
}

const SCRIPT = `scenes:
  - name: forgetful
    when: { prompt: "Forget" }
    steps: ${steps('echo "## Mine" > .hall-local.md; git add .; git commit -qm Forget')}
  - name: told
    when: { prompt: "They are run with make" }
    steps: ${steps('echo "## Style" >> .hall-local.md; git add .; git commit -qm Remember')}
  - name: untold
    steps:
      - use: { tool: mcp__hall__report, input: { outcome: failed, summary: I was told nothing. } }
      - end`;

describe('the memory of a repository', { skip: await whyNoWorkers() }, () => {
  it('HA-079b: agents can add to the repository memory but not remove from it', async () => {
    await using stage = await WorkersFixture.open({ script: SCRIPT });
    const clone = `${stage.upstream}.work`;
    write(clone, { '.hall-local.md': OLD });
    gitAs(clone, 'add', '.');
    gitAs(clone, 'commit', '--quiet', '-m', 'Begin a memory');
    gitAs(clone, 'push', '--quiet', stage.upstream, 'HEAD:main');

    const told = await stage.post();
    await stage.reaches(told, 'completed');
    const [{ branch = '' } = {}] = stage.pushed();
    assert.match(stage.fileOn(branch, '.hall-local.md'), /^## Tests\n[\s\S]*## Style$/);
    const { notes } = await stage.fixture.taskDetail(told);
    assert.match(notes[0].text, /\.hall-local\.md: it adds to what agents read/);

    const forgetful = await stage.post({ title: 'Forget' });
    const { summary } = await stage.reaches(forgetful, 'failed');
    assert.match(summary, /must not be pushed: \.hall-local\.md: existing text was changed/);
    assert.match(summary, /the work is kept as refs\/hall\/rescue\//);
    assert.equal(stage.pushed().length, 1);
  });
});
