import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe } from 'node:test';
import {
  type CellFixture,
  cellFixture,
  processesWith,
  sh,
  sleepersWith,
  uniqueSleep,
  until,
} from '../../../test/support/cell-fixture.ts';
import { testsWith } from '../../../test/support/cell-kinds.ts';
import {
  CONTAINER,
  clearContainers,
  containerNeeds,
  runEngine,
  scenesWithContainers,
  sweepUntilGone,
} from '../../../test/support/container-kind.ts';
import { startParent } from '../../../test/support/start-parent.ts';
import { importImage } from '../../../test/support/worker-image.ts';
import type { Cell, Cells, Tenant } from '../../ports/cell.ts';

const PREFIX = containerNeeds().prefix;

describe('containers of an instance', () => {
  const it = scenesWithContainers(`${PREFIX}-keep-${process.pid}`);

  it('CH-023b CH-033a: a container is named after its instance, and a second one used at the same time gets a number', async (fixture) => {
    const tenant = newTenant('a');
    await using first = await fixture.cell({ tenant });
    await using second = await fixture.cell({ tenant });
    const names = [`${PREFIX}-${tenant.instance}`, `${PREFIX}-${tenant.instance}-2`];
    for (const name of names) assert.equal(stateOf(name), 'running', name);
    assert.equal((await sh(first, 'true')).code, 0);
    assert.equal((await sh(second, 'true')).code, 0);
  });

  it('CH-033b CH-033c: runs reuse one container one after another and find nothing of the previous run', async (fixture) => {
    const tenant = newTenant('a');
    const name = `${PREFIX}-${tenant.instance}`;
    const leave =
      'for f in /tmp/left /dev/shm/left "$HOME/left" left; do echo x > $f || exit 1; done';
    const length = uniqueSleep();
    const script = `${leave}; setsid sleep ${length} & sleep ${length}`;
    const first = await fixture.cell({ tenant });
    first.start({ argv: ['sh', '-c', script], env: {} });
    await until(() => sleepersWith(length).length >= 2);
    const id = idOf(name);
    await first[Symbol.asyncDispose]();
    assert.deepEqual(processesWith(length), []);
    assert.equal(stateOf(name), 'exited');

    await using second = await fixture.cell({ tenant });
    assert.equal(idOf(name), id);
    const { out } = await sh(
      second,
      'find / -xdev -name left 2>/dev/null; ls -A /work /tmp /dev/shm "$HOME"',
    );
    assert.equal(out.includes('left'), false, out);
    const again = await sh(second, leave);
    assert.equal(again.code, 0, again.err);
  });

  it('a second run in the container of an image without /tmp can write there', async (fixture) => {
    const image = `localhost/guildhall-test-no-tmp-${process.pid}`;
    importImage(image);
    try {
      const tenant = { ...newTenant('a'), image };
      const name = `${PREFIX}-${tenant.instance}`;
      await inCell(fixture, tenant, 'true');
      const id = idOf(name);
      const { code, err } = await inCell(fixture, tenant, 'echo x > /tmp/x');
      assert.equal(code, 0, err);
      assert.equal(idOf(name), id);
    } finally {
      clearContainers(`${PREFIX}-keep-${process.pid}`);
      runEngine('rmi', '--force', image);
    }
  });

  it('CH-033c: a run of another project gets another container', async (fixture) => {
    const tenant = newTenant('a');
    const name = `${PREFIX}-${tenant.instance}`;
    await (await fixture.cell({ tenant }))[Symbol.asyncDispose]();
    const id = idOf(name);
    await using _ = await fixture.cell({ tenant: { ...tenant, project: 'b' } });
    assert.notEqual(idOf(name), id);
  });

  it('CH-033a: the volume of an instance keeps the caches of each project and nothing else', async (fixture) => {
    const tenant = newTenant('a');
    const volume = `${PREFIX}-${tenant.instance}-state`;
    const write = 'echo gone > gone; cd; echo kept > .npm/kept; echo gone > gone';
    assert.equal((await inCell(fixture, tenant, write)).code, 0);
    assert.equal((await inCell(fixture, tenant, 'cd; cat .npm/kept; ls gone')).out, 'kept\n');

    const other = await inCell(
      fixture,
      { ...tenant, project: 'b' },
      'cd; ls -A .npm; ls -A /cache/..',
    );
    assert.equal(other.out.includes('kept'), false, other.out);
    const folder = runEngine('volume', 'inspect', '--format', '{{.Mountpoint}}', volume);
    assert.deepEqual(readdirSync(folder).sort(), ['a', 'b']);
    const stored = readdirSync(join(folder, 'a'), { recursive: true }).map(String);
    assert.deepEqual(stored.sort(), [
      ...['.cache-go-build', '.cache-pip', '.cache-yarn', '.cargo-registry'],
      ...['.gradle-caches', '.m2-repository', '.npm', '.npm/kept'],
    ]);
  });

  it('R50: a sweep removes the containers of a killed worker and keeps those of a live one', async (fixture) => {
    const tenant = newTenant(null);
    await using _ = await fixture.cell({ tenant });
    const killed = newTenant(null).instance;
    const length = uniqueSleep();
    const parent = startParent(CONTAINER, `sleep ${length}`, fixture.folder, killed);
    await until(() => sleepersWith(length).length > 0);
    assert.equal(stateOf(`${PREFIX}-${killed}`), 'running');
    parent.kill('SIGKILL');
    await until(() => processesWith(length).length === 0);
    await sweepUntilGone(`${PREFIX}-${killed}`);
    assert.equal(stateOf(`${PREFIX}-${tenant.instance}`), 'running');
  });

  inOtherNetwork(
    'R50: a worker in another network namespace does not touch the container of a live worker',
    async (cells) => {
      await using fixture = cellFixture(cells);
      const tenant = newTenant(null);
      await using cell = await fixture.cell({ tenant });
      const id = idOf(`${PREFIX}-${tenant.instance}`);
      // It sweeps, and needs a container of the same name.
      const options = [fixture.folder, tenant.instance, undefined, ['unshare', '--net']] as const;
      const other = startParent(CONTAINER, 'echo entered', ...options);
      assert.match(await text(other.stdout), /entered/);
      assert.equal(idOf(`${PREFIX}-${tenant.instance}`), id);
      assert.equal((await sh(cell, 'true')).code, 0);
    },
  );
});

/** Only root makes one without other users of its own, for whom the engine would have other containers. */
function inOtherNetwork(title: string, act: (cells: Cells) => Promise<void>): void {
  testsWith(CONTAINER)(title, async (cells, t) => {
    if (process.getuid?.() !== 0) return t.skip('only root makes a network namespace');
    await act(cells);
  });
}

let tenants = 0;
function newTenant(project: string | null): Tenant {
  tenants += 1;
  return { instance: `keep-${process.pid}-${tenants}`, project, image: null };
}

async function inCell(fixture: CellFixture, tenant: Tenant, script: string) {
  await using cell: Cell = await fixture.cell({ tenant });
  return await sh(cell, script);
}

function stateOf(name: string): string {
  return runEngine('inspect', '--format', '{{.State.Status}}', name);
}

function idOf(name: string): string {
  return runEngine('inspect', '--format', '{{.Id}}', name);
}
