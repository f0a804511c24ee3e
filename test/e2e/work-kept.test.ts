import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'node:test';
import { until } from '../support/hall-fixture.ts';
import { ifExists } from '../support/if-exists.ts';
import { testIn } from '../support/tier.ts';
import { adding, WorkersFixture, whyNoWorkers } from '../support/worker-fixture.ts';

const MEGABYTE = 1024 ** 2;

/** Writes many files, each of which is a finding. */
function locking(path: string): string {
  const folders = Array.from({ length: 600 }, (_, n) => `p/${n}`);
  const files = folders.map((folder) => `${folder}/${path}`);
  const command = `mkdir -p ${folders.join(' ')}; touch ${files.join(' ')}`;
  return `
      - use: { tool: Bash, input: { command: "${command}" } }
      - use: { tool: mcp__hall__report, input: { outcome: pr_created, summary: Locked. } }
      - end`;
}

/** Begins a file, asks, and waits for the answer. */
const ASKING = `
      - use: { tool: Bash, input: { command: "echo begun > a.txt; git add .; git commit -qm Begin" } }
      - use: { tool: mcp__hall__ask, input: { question: "Which colour?" } }
      - end`;

async function component(stage: WorkersFixture, name: string) {
  const { components } = await stage.fixture.get('/v1/health');
  return components.find((each: { name: string }) => each.name === name);
}

describe('what runs leave behind', { skip: await whyNoWorkers(), concurrency: 3 }, () => {
  const it = testIn('test');

  it('commits of a killed worker are saved as a rescue ref before its folder is removed', async () => {
    await using stage = await WorkersFixture.open({ script: adding('a.txt', { waits: true }) });
    const id = await stage.post();
    await stage.waitingAgent();
    process.kill(await stage.worker(), 'SIGKILL');
    await until('its work is rescued', () => Object.keys(stage.rescued('a.txt')).length === 1);
    assert.deepEqual(Object.values(stage.rescued('a.txt')), ['added']);
    stage.letAgentsGo();
    await stage.reaches(id, 'completed');
    assert.deepEqual(await stage.whatIsLeft(), []);
  });
});

describe('what runs leave behind', { skip: await whyNoWorkers(), concurrency: 3 }, () => {
  const it = testIn('full');

  it('GH-029a: above the disk budget no run starts, health and why say so, and runs start again once there is space', async () => {
    await using stage = await WorkersFixture.open({
      script: adding('a.txt'),
      hall: { disk_budget_mb: 4 },
    });
    await stage.hall.stop();
    const junk = join(stage.runFolders, 'runs/junk');
    mkdirSync(join(stage.runFolders, 'runs'), { recursive: true });
    writeFileSync(junk, Buffer.alloc(8 * MEGABYTE, 1));
    await stage.hall.start();
    const disk = await until('health says so', async () => {
      const now = await component(stage, 'disk');
      return now.status === 'degraded' && now;
    });
    const id = await stage.post();
    const full = /mirrors and cells use 8\.\d MiB, hall\.disk_budget_mb allows 4\.0 MiB/;
    assert.match(disk.says, full);
    assert.match((await component(stage, 'recruiter')).says, full);
    const { reasons } = await stage.fixture.get(`/v1/tasks/${id}/why`);
    assert.match(reasons[0].because, /the hall is not starting workers: /);
    assert.match(reasons[0].because, full);

    rmSync(junk);
    await restart(stage);
    await stage.reaches(id, 'completed');
    assert.equal((await component(stage, 'disk')).status, 'up');
  });

  it('a hall that was killed with its worker rescues the commits at its next start', async () => {
    await using stage = await WorkersFixture.open({ script: adding('a.txt', { waits: true }) });
    await stage.post();
    await stage.waitingAgent();
    const worker = await stage.worker();
    await stage.hall.stop('SIGKILL');
    process.kill(worker, 'SIGKILL');
    assert.deepEqual(stage.rescued('a.txt'), {});
    await stage.hall.start();
    await until('its work is rescued', () => Object.keys(stage.rescued('a.txt')).length === 1);
    assert.deepEqual(Object.values(stage.rescued('a.txt')), ['added']);
  });

  it('a worker rescues the work of a cancelled run', async () => {
    await using stage = await WorkersFixture.open({ script: adding('a.txt', { waits: true }) });
    const id = await stage.post();
    await stage.waitingAgent();
    await stage.fixture.post(`/v1/tasks/${id}/cancel`);
    await until('its work is rescued', () => Object.keys(stage.rescued('a.txt')).length === 1);
    assert.deepEqual(await stage.whatIsLeft(), []);
  });

  it('a work tree that cannot be harvested is kept, and the log says why', async () => {
    await using stage = await WorkersFixture.open({
      script: '- end',
      type: { command: ['sh', '-c', 'echo precious > a.txt; rm -rf .git'] },
    });
    const id = await stage.post();
    await stage.reaches(id, 'failed');
    const runs = join(stage.runFolders, 'runs');
    const works = async () => {
      const all = await until('the runs stand still while they are listed', () =>
        ifExists(() => readdirSync(runs, { recursive: true, encoding: 'utf8' })),
      );
      return all.filter((path) => path.endsWith('cell/work/a.txt'));
    };
    const kept = await works();
    assert.equal(kept.length, 1, 'it is still there');
    await stage.hall.stop();
    await until('its workers have gone', () => stage.running().length === 0);
    await stage.hall.start();
    const said = /work not rescued.*the work tree is no longer a repository/;
    await until('it was looked at again', () => said.test(stage.hall.output));
    assert.deepEqual(await works(), kept);
  });

  for (const [path, state, of] of [
    ['go.sum', 'completed', 'a note'],
    ['Jenkinsfile', 'failed', 'the reason'],
  ] as const) {
    it(`findings that do not fit into ${of} are counted, and the task is ${state}`, async () => {
      await using stage = await WorkersFixture.open({ script: locking(path) });
      const id = await stage.post();
      const task = await stage.reaches(id, state);
      const told = JSON.stringify([task, await stage.fixture.get(`/v1/tasks/${id}`)]);
      assert.match(told, /p\/1\/[^"]*and \d+ more/);
    });
  }

  it('CH-032d CH-090a: a session is kept while its thread is open and deleted when it is closed', async () => {
    await using stage = await WorkersFixture.open({ script: ASKING });
    const folder = join(stage.hall.folder, 'data/sessions');
    const id = await stage.post();
    await stage.reaches(id, 'awaiting_input');
    assert.equal(readdirSync(folder).length, 1);
    await restart(stage);
    assert.equal(readdirSync(folder).length, 1, 'its thread is open');
    await stage.fixture.post(`/v1/tasks/${id}/cancel`);
    await restart(stage);
    await until('it is forgotten', () => readdirSync(folder).length === 0);
  });
});

async function restart(stage: WorkersFixture): Promise<void> {
  await stage.hall.stop();
  await stage.hall.start();
}
