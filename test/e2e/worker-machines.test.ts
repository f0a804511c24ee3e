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

/** `worker run` as somebody types it on a machine of their own, with its own folder. */
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

  it('without walls it does not register, and ends with the way out', async () => {
    await using stage = await WorkersFixture.open({
      script: '- end',
      walls: false,
      hall: NO_RECRUITS,
    });
    const { code, stderr } = await ownWorker(stage);
    assert.notEqual(code, 0);
    assert.match(stderr, /every project of this worker requires isolation/);
    assert.match(stderr, /the walls of a cell cannot be built: bwrap: No permissions/);
    assert.deepEqual((await stage.fixture.get('/v1/workers')).workers, []);
    const { events } = await stage.fixture.get('/v1/events?type=WorkerRegistered');
    assert.deepEqual(events, []);
  });

  it('GH-029a GH-063d: with walls it tells which, and what they do not hold', async () => {
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

  it('its folder may be named from where it is started', async () => {
    await using stage = await WorkersFixture.open({ script: adding('a.txt'), hall: NO_RECRUITS });
    const id = await stage.post();
    const { code, stderr } = await ownWorker(stage, { folder: './own' });
    assert.equal(code, 0, stderr);
    await stage.reaches(id, 'completed');
  });

  it('GH-029a: without walls it works where none are asked for', async () => {
    await using stage = await WorkersFixture.open({
      script: adding('a.txt'),
      walls: false,
      project: { isolation: 'none' },
    });
    await stage.reaches(await stage.post(), 'completed');
    const { status, says } = await component(stage, 'executors');
    assert.equal(status, 'degraded');
    assert.match(says, /^none on 1; none: no cell can be built here/);
  });

  it('GH-029a: without walls the recruiter rests longer each time, and says why', async () => {
    await using stage = await WorkersFixture.open({ script: '- end', walls: false });
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

  it('without room on its disk it does not register, and says what takes it', async () => {
    await using stage = await WorkersFixture.open({ script: '- end', hall: NO_RECRUITS });
    const runs = join(stage.hall.folder, 'own/runs');
    mkdirSync(runs, { recursive: true });
    writeFileSync(join(runs, 'junk'), Buffer.alloc(4 * 1024 ** 2, 1));
    const { code, stderr } = await ownWorker(stage, {
      environment: { GUILDHALL_DISK_BUDGET_MB: '2' },
    });
    assert.notEqual(code, 0);
    assert.match(stderr, /no run can begin on this machine: mirrors and cells take 4\.\d MiB/);
    assert.deepEqual((await stage.fixture.get('/v1/workers')).workers, []);
  });
});
