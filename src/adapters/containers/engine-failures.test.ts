import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe } from 'node:test';
import {
  type CellFixture,
  cellFixture,
  processesWith,
  sh,
  uniqueSleep,
  until,
  untilPrinted,
} from '../../../test/support/cell-fixture.ts';
import {
  CONTAINER,
  containerNeeds,
  runEngine,
  scenesWithContainers,
  sweepUntilGone,
} from '../../../test/support/container-kind.ts';
import { stageEngine } from '../../../test/support/staged-engine.ts';
import { startParent } from '../../../test/support/start-parent.ts';
import { type Cell, CellRefused, type Tenant } from '../../ports/cell.ts';
import { createContainers } from './containers.ts';
import { LABEL } from './create-options.ts';
import { OWNER_LABEL } from './owner.ts';

const PREFIX = containerNeeds().prefix;
const DIE = 'kill -9 $PPID';

/** Every engine command in the life of a cell. */
const OPENING = ['container', 'create', 'start', 'inspect', 'exec'];
const CLOSING = ['kill', 'wait'];

describe('containers when a worker or the engine fails', () => {
  const it = scenesWithContainers(`${PREFIX}-luck-${process.pid}`);

  for (const verb of [...OPENING, ...CLOSING]) {
    it(`R50: a worker killed at the ${verb} command of a cell leaves no process, and the next worker gets a cell`, async (fixture) => {
      const { instance } = newTenant();
      const length = uniqueSleep();
      const script = CLOSING.includes(verb) ? 'true' : `setsid sleep ${length} & sleep ${length}`;
      // The engine carries out the command some time after the worker died.
      await killWorker(fixture, instance, script, { before: { [verb]: `${DIE}; sleep 0.3` } });
      assert.equal(await outputOf(fixture, instance, 'echo entered; ls -A /work'), 'entered\n');
      await until(() => processesWith(length).length === 0);
      // The engine may create a container after a sweep.
      await until(() => processesWith(join(fixture.folder, 'engine-')).length === 0);
      await sweepUntilGone(nameOf(instance));
    });
  }

  it('R50: a container that the engine creates after its worker died does not block the next worker', async (fixture) => {
    const { instance } = newTenant();
    const go = join(fixture.folder, 'go');
    const made = join(fixture.folder, 'made');
    await killWorker(fixture, instance, 'true', {
      before: { create: `${DIE}; until [ -e '${go}' ]; do sleep 0.05; done` },
      after: { create: `touch '${made}'` },
    });
    const next = staged(fixture, instance, {
      before: { create: `touch '${go}'; until [ -e '${made}' ]; do sleep 0.05; done` },
    });
    assert.equal(await outputOf(fixture, instance, 'echo entered', next), 'entered\n');
  });

  it('R50: an engine that is late to remove the container of a dead worker does not remove that of the next worker', async (fixture) => {
    const tenant = newTenant();
    const { instance } = tenant;
    const go = join(fixture.folder, 'go');
    const removed = join(fixture.folder, 'removed');
    // Other processes of this machine sweep at any time. This container is made once the worker has
    // locked its name, and its owner is in another PID namespace, so no sweep removes it first.
    const labels = `--label ${LABEL} --label ${OWNER_LABEL}=1/1/1`;
    const command = `create --name ${nameOf(instance)} ${labels} localhost/guildhall-host /bin/true`;
    await killWorker(fixture, instance, 'true', {
      before: {
        container: `[ -e "$here/id" ] || "$real" ${command} > "$here/id"`,
        rm: `${DIE}; until [ -e '${go}' ]; do sleep 0.05; done`,
      },
      after: { rm: `touch '${removed}'` },
    });

    await using cell = await cellInFirstContainer(fixture, tenant);
    const program = cell.start({ argv: ['sh', '-c', 'echo ready; read go; exit 7'], env: {} });
    await untilPrinted(program, 'ready');
    writeFileSync(go, '');
    await until(() => existsSync(removed));
    program.stdin.write('go\n');
    assert.equal((await program.ended).code, 7);
  });

  it('a container that has the name of a cell but does not belong to the hall is refused and left alone', async (fixture) => {
    const tenant = newTenant();
    const name = nameOf(tenant.instance);
    runEngine('create', '--name', name, 'localhost/guildhall-host', '/bin/true');
    await assert.rejects(fixture.cell({ tenant }), (error: Error) => {
      assert.ok(error instanceof CellRefused);
      assert.match(error.message, new RegExp(`${name} already exists.*container_prefix`));
      return true;
    });
    assert.equal(stateOf(tenant.instance), 'created');
    runEngine('rm', name);
    await using cell = await fixture.cell({ tenant });
    assert.equal((await sh(cell, 'true')).code, 0);
  });

  for (const { verb, act, what, because } of [
    {
      verb: 'inspect',
      act: 'said=garbage',
      what: 'is nonsense',
      because: /reports garbage as the process/,
    },
    { verb: 'start', act: 'code=125', what: 'fails', because: /start failed/ },
    {
      verb: 'inspect',
      act: '{ kill -9 $said; while [ -e /proc/$said ]; do sleep 0.05; done; }',
      what: 'is overtaken by the end of the container',
      because: /something else ended the container/,
    },
  ] as const) {
    it(`R26: a container whose ${verb} command ${what} is refused and removed, and the next one works`, async (fixture) => {
      const tenant = newTenant();
      const folder = join(fixture.folder, 'engine');
      mkdirSync(folder);
      const once = `[ -e '${folder}/was' ] || { touch '${folder}/was'; ${act}; }`;
      const container = nameOf(tenant.instance);
      const { path } = stageEngine(folder, { container, after: { [verb]: once } });
      await using own = cellFixture(await createContainers({ ...containerNeeds(), path }));
      await assert.rejects(own.cell({ tenant }), (error: Error) => {
        assert.ok(error instanceof CellRefused, error.stack);
        assert.match(error.message, because);
        return true;
      });
      assert.equal(stateOf(tenant.instance), 'none');
      await using cell = await own.cell({ tenant });
      assert.equal((await sh(cell, 'true')).code, 0);
    });
  }

  it('an engine that cannot run a program is refused with its error', async (fixture) => {
    const folder = join(fixture.folder, 'engine');
    mkdirSync(folder);
    const act = 'echo "Error: no such runtime" >&2; exit 125';
    const { path } = stageEngine(folder, { container: 'luck-probe', before: { exec: act } });
    await assert.rejects(
      createContainers({ ...containerNeeds(), path, prefix: `${PREFIX}-luck` }),
      (error: Error) => {
        assert.ok(error instanceof CellRefused, error.stack);
        assert.match(
          error.message,
          /ended with \S.*: Error: no such runtime; check the engine with: (podman|docker) info/,
        );
        return true;
      },
    );
  });

  it('R26: a killed program ends even if the engine never returns', async (fixture) => {
    const tenant = newTenant();
    const folder = join(fixture.folder, 'engine');
    mkdirSync(folder);
    const container = nameOf(tenant.instance);
    const length = uniqueSleep();
    const { path } = stageEngine(folder, { container, before: { exec: `exec sleep ${length}` } });
    const needs = { ...containerNeeds(), path, killTimeout: 1_000 };
    await using own = cellFixture(await createContainers(needs));
    await using cell = await own.cell({ tenant });
    const program = cell.start({ argv: ['true'], env: {} });
    program.kill();
    assert.equal((await program.ended).signal, 'SIGKILL');
    assert.deepEqual(processesWith(length), []);
  });

  it('R26: a program that stops all other processes is still killed', async () => {
    const tenant = newTenant();
    const needs = { ...containerNeeds(), killTimeout: 5_000 };
    await using own = cellFixture(await createContainers(needs));
    await using cell = await own.cell({ tenant });
    const program = cell.start({ argv: ['node', '-e', STOP_ALL], env: {} });
    await untilPrinted(program, 'ready');
    program.kill();
    assert.equal((await program.ended).signal, 'SIGKILL');
  });

  function staged(fixture: CellFixture, instance: string, steps: Steps): string {
    const folder = join(fixture.folder, `engine-${++stages}`);
    mkdirSync(folder);
    return stageEngine(folder, { container: nameOf(instance), ...steps }).program;
  }

  /** Starts a worker with a cell and waits until a step of the engine has killed it. */
  async function killWorker(
    fixture: CellFixture,
    instance: string,
    script: string,
    steps: Steps,
  ): Promise<void> {
    const engine = staged(fixture, instance, steps);
    const parent = startParent(CONTAINER, script, fixture.folder, instance, engine);
    const [, signal] = await once(parent, 'exit');
    assert.equal(signal, 'SIGKILL');
  }

  /** A sweep of another process locks the name of an unlocked container for a moment. */
  async function cellInFirstContainer(fixture: CellFixture, tenant: Tenant): Promise<Cell> {
    for (let tries = 1; tries <= 20; tries += 1) {
      const cell = await fixture.cell({ tenant });
      if (stateOf(tenant.instance) === 'running') return cell;
      await cell[Symbol.asyncDispose]();
    }
    assert.fail(`no cell was opened in ${nameOf(tenant.instance)}`);
  }

  /** What a script prints in a cell of another worker of the same instance. */
  async function outputOf(
    fixture: CellFixture,
    instance: string,
    script: string,
    engine?: string,
  ): Promise<string> {
    const parent = startParent(CONTAINER, script, fixture.folder, instance, engine);
    return (await text(parent.stdout)).replace('starting\n', '');
  }
});

interface Steps {
  readonly before?: Record<string, string>;
  readonly after?: Record<string, string>;
}

let stages = 0;
let tenants = 0;
function newTenant(): Tenant {
  tenants += 1;
  return { instance: `luck-${process.pid}-${tenants}`, project: null, image: null };
}

function nameOf(instance: string): string {
  return `${PREFIX}-${instance}`;
}

function stateOf(instance: string): string {
  try {
    return runEngine('inspect', '--format', '{{.State.Status}}', nameOf(instance));
  } catch {
    return 'none';
  }
}

/** Stops the process that would kill it first; both run as the same user. */
const STOP_ALL = `
const { readdirSync } = require('node:fs');
console.log('ready');
for (;;) for (const pid of readdirSync('/proc')) {
  if (!/^\\d+$/.test(pid) || Number(pid) === process.pid) continue;
  try { process.kill(Number(pid), 'SIGSTOP'); } catch {}
}`;
