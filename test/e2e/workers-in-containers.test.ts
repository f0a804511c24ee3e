import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { findProgram } from '../../src/adapters/claude/sdk.ts';
import { withoutAgentSdk } from '../support/agent-sdk-part.ts';
import { buildOrSayWhy } from '../support/cell-kinds.ts';
import { CONTAINER, clearContainers, runEngine } from '../support/container-kind.ts';
import { until } from '../support/hall-fixture.ts';
import { adding, WorkersFixture } from '../support/worker-fixture.ts';
import { importImage } from '../support/worker-image.ts';

const PREFIX = `guildhall-test-${process.pid}`;

describe('workers in a project with container isolation', {
  skip: await withoutContainers(),
}, () => {
  after(() => clearContainers(PREFIX));

  it('CH-033a CH-033b GH-028a: a task is done in the container of its instance and pushed once, with nothing left behind', async () => {
    await using stage = await openStage(adding('a.txt'));
    const id = await stage.post();
    const { summary, outcome } = await stage.reaches(id, 'completed');
    assert.deepEqual([outcome, summary], ['pr_created', 'Added a.txt.']);
    const [pushed] = stage.pushed();
    assert.equal(stage.fileOn(pushed?.branch ?? '', 'a.txt'), 'added');
    assert.equal(containers().includes(`${PREFIX}-dev-default`), true, containers().join());
    assert.deepEqual(await stage.whatIsLeft(), []);
  });

  it('GH-T05 R50: a task whose worker is killed while its agent works in a container is done once, by the next worker', async () => {
    await using stage = await openStage(adding('a.txt', { waits: true }));
    const id = await stage.post();
    await stage.waitingAgent();
    process.kill(await stage.worker(), 'SIGKILL');
    await until('the task is free again', async () => (await stage.endings(id)).length === 1);
    stage.letAgentsGo();
    await stage.reaches(id, 'completed');
    assert.deepEqual(
      (await stage.endings(id)).map(({ how }) => how),
      ['lost', 'completed'],
    );
    assert.deepEqual(
      stage.pushed().map(({ updates }) => updates),
      [1],
    );
    // The hall harvested the rest in a container of its own, whose folder it keeps while it runs.
    const left = await stage.whatIsLeft();
    assert.deepEqual(
      left.filter((each) => !each.startsWith('temporary box-')),
      [],
    );
  });

  it('an agent whose type names an image uses the programs of that image', async () => {
    const image = `localhost/${PREFIX}-image`;
    const agent = findProgram();
    importImage(image, { runs: 'path' in agent ? [agent.path] : [] });
    try {
      const use = "ls > a.txt; git add a.txt; git commit -qm 'Add a line'";
      await using stage = await openStage(
        `
      - use: { tool: Bash, input: { command: "${use}" } }
      - use: { tool: mcp__hall__report, input: { outcome: pr_created, summary: Added a.txt. } }
      - end`,
        { image },
      );
      await stage.reaches(await stage.post(), 'completed');
      const [pushed] = stage.pushed();
      assert.equal(stage.fileOn(pushed?.branch ?? '', 'a.txt'), 'of the image');
      assert.deepEqual(await stage.whatIsLeft(), []);
    } finally {
      runEngine('rmi', '--force', image);
    }
  });

  it('R50: a starting hall removes the containers of workers that are gone', async () => {
    await using stage = await openStage(adding('a.txt'));
    await stage.reaches(await stage.post(), 'completed');
    // While its worker holds it: afterwards any suite on this machine that checks removes it.
    const own = `${PREFIX}-dev-default`;
    await until(`there is no container but ${own}`, () => containers().join() === own);
    assert.deepEqual(await stage.whatIsLeft(), []);
    await stage.hall.stop();
    await stage.hall.start();
    await until('they are removed', () => containers().length === 0);
  });
});

async function withoutContainers(): Promise<string | false> {
  const built = await buildOrSayWhy(CONTAINER);
  return 'missing' in built ? built.missing : withoutAgentSdk();
}

function openStage(script: string, type: object = {}): Promise<WorkersFixture> {
  return WorkersFixture.open({
    script,
    type,
    project: { isolation: 'container' },
    hall: { container_prefix: PREFIX },
  });
}

function containers(): string[] {
  const names = runEngine('ps', '--all', '--format', '{{.Names}}').split('\n');
  return names.filter((name) => name.startsWith(PREFIX));
}
