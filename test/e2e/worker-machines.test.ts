import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'node:test';
import { guildhall } from '../acceptance/cli-command.ts';
import { until } from '../support/hall-fixture.ts';
import { testIn } from '../support/tier.ts';
import { adding, WorkersFixture, whyNoWorkers } from '../support/worker-fixture.ts';

async function component(stage: WorkersFixture, name: string) {
  const { components } = await stage.fixture.get('/v1/health');
  return components.find((each: { name: string }) => each.name === name);
}

/** `worker run` as typed on another machine, with its own folder. */
function ownWorker(
  stage: WorkersFixture,
  { environment = {}, folder = join(stage.hall.folder, 'own') } = {},
) {
  const reach = ['--url', stage.hall.url, '--token', stage.hall.token, '--folder', folder];
  return guildhall(['worker', 'run', ...reach, '--idle', '1'], {
    cwd: stage.hall.folder,
    environment: { PATH: stage.path, ...environment },
  });
}

const NO_RECRUITS = { max_recruits: 0 };

describe('the machine of a worker', { skip: await whyNoWorkers(), concurrency: 3 }, () => {
  const it = testIn('test');

  it('a worker without isolation does not register and says what is missing', async () => {
    await using stage = await WorkersFixture.open({
      script: '- end',
      isolates: false,
      hall: NO_RECRUITS,
    });
    const { code, stderr } = await ownWorker(stage);
    assert.notEqual(code, 0);
    assert.match(stderr, /every project of this worker requires isolation/);
    assert.match(stderr, /the sandbox cannot be built: bwrap: No permissions/);
    assert.deepEqual((await stage.fixture.get('/v1/workers')).workers, []);
    const { events } = await stage.fixture.get('/v1/events?type=WorkerRegistered');
    assert.deepEqual(events, []);
  });

  it('GH-029a GH-063d: a worker reports its kind of isolation and the gaps in it', async () => {
    await using stage = await WorkersFixture.open({ script: adding('a.txt') });
    await stage.reaches(await stage.post(), 'completed');
    const [{ cells }] = (await stage.fixture.get('/v1/workers')).workers;
    assert.equal(cells.kind, 'sandbox');
    const { says, status } = await component(stage, 'executors');
    assert.equal(status, cells.gaps.length === 0 ? 'up' : 'degraded');
    for (const gap of cells.gaps) assert.ok(says.includes(gap), says);
  });
});

describe('the machine of a worker', { skip: await whyNoWorkers(), concurrency: 3 }, () => {
  const it = testIn('full');

  it('--folder of a worker may be a relative path', async () => {
    await using stage = await WorkersFixture.open({ script: adding('a.txt'), hall: NO_RECRUITS });
    const id = await stage.post();
    const { code, stderr } = await ownWorker(stage, { folder: './own' });
    assert.equal(code, 0, stderr);
    await stage.reaches(id, 'completed');
  });

  it('GH-029a: a worker without isolation works in projects with isolation none', async () => {
    await using stage = await WorkersFixture.open({
      script: adding('a.txt'),
      isolates: false,
      project: { isolation: 'none' },
    });
    await stage.reaches(await stage.post(), 'completed');
    const { status, says } = await component(stage, 'executors');
    assert.equal(status, 'degraded');
    assert.match(says, /^none on 1; none: no cell can be built here/);
  });

  it('GH-029a: the recruiter waits longer after each worker without isolation, and says why', async () => {
    await using stage = await WorkersFixture.open({ script: '- end', isolates: false });
    const id = await stage.post();
    const { says } = await until('it rests for the second time', async () => {
      const now = await component(stage, 'recruiter');
      return now.status === 'degraded' && /died [2-9] times in a row/.test(now.says) && now;
    });
    assert.match(says, /dev-default died .* next start in \d+ s: .*No permissions/);
    await until('why says so too', async () => {
      const { reasons } = await stage.fixture.get(`/v1/tasks/${id}/why`);
      return /the last worker of dev-default died .*No permissions/.test(reasons[0].because);
    });
  });

  it('a worker above its disk budget does not register and says what uses the disk', async () => {
    await using stage = await WorkersFixture.open({ script: '- end', hall: NO_RECRUITS });
    const runs = join(stage.hall.folder, 'own/runs');
    mkdirSync(runs, { recursive: true });
    writeFileSync(join(runs, 'junk'), Buffer.alloc(4 * 1024 ** 2, 1));
    const { code, stderr } = await ownWorker(stage, {
      environment: { GUILDHALL_DISK_BUDGET_MB: '2' },
    });
    assert.notEqual(code, 0);
    assert.match(stderr, /no run can start on this machine: mirrors and cells use 4\.\d MiB/);
    assert.deepEqual((await stage.fixture.get('/v1/workers')).workers, []);
  });
});
