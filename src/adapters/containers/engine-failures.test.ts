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
} from '../../../test/support/container-kind.ts';
import { stageEngine } from '../../../test/support/staged-engine.ts';
import { startParent } from '../../../test/support/start-parent.ts';
import { CellRefused, type Tenant } from '../../ports/cell.ts';
import { createContainers } from './containers.ts';
import { LABEL } from './create-options.ts';
import { OWNER_LABEL } from './owner.ts';
import { sweepContainers } from './sweep.ts';

const PREFIX = containerNeeds().prefix;
const DIE = 'kill -9 $PPID';

/** Each word that the engine is told from the first to the last moment of a cell. */
const OPENING = ['container', 'create', 'start', 'inspect', 'exec'];
const CLOSING = ['kill', 'wait'];

describe('containers and bad luck', () => {
  const it = scenesWithContainers(`${PREFIX}-luck-${process.pid}`);

  for (const verb of [...OPENING, ...CLOSING]) {
    it(`R50: a worker killed at the ${verb} of a cell leaves nothing alive and nobody locked out`, async (fixture) => {
      const { instance } = someone();
      const length = uniqueSleep();
      const script = CLOSING.includes(verb) ? 'true' : `setsid sleep ${length} & sleep ${length}`;
      // The engine does what it was asked to a while after the worker is dead.
      await killed(fixture, instance, script, { before: { [verb]: `${DIE}; sleep 0.3` } });
      assert.equal(await said(fixture, instance, 'echo entered; ls -A /work'), 'entered\n');
      await until(() => processesWith(length).length === 0);
      // What it does too late is not swept by a sweep before it.
      await until(() => processesWith(join(fixture.folder, 'engine-')).length === 0);
      await sweepContainers(containerNeeds().path);
      await until(() => stateOf(instance) === 'none');
    });
  }

  it("R50: the container that the engine makes for a worker who is dead by then is in nobody's way", async (fixture) => {
    const { instance } = someone();
    const go = join(fixture.folder, 'go');
    const made = join(fixture.folder, 'made');
    await killed(fixture, instance, 'true', {
      before: { create: `${DIE}; until [ -e '${go}' ]; do sleep 0.05; done` },
      after: { create: `touch '${made}'` },
    });
    const next = staged(fixture, instance, {
      before: { create: `touch '${go}'; until [ -e '${made}' ]; do sleep 0.05; done` },
    });
    assert.equal(await said(fixture, instance, 'echo entered', next), 'entered\n');
  });

  it('R50: what a worker wanted removed that is dead by now is not what another made since', async (fixture) => {
    const tenant = someone();
    const { instance } = tenant;
    // Its owner cannot be looked at, so no other suite or hall of this machine removes it first.
    const labels = ['--label', LABEL, '--label', `${OWNER_LABEL}=1/1/1`];
    const made = ['create', '--name', nameOf(instance), ...labels, 'localhost/guildhall-host'];
    const id = runEngine(...made, '/bin/true');
    const go = join(fixture.folder, 'go');
    const gone = join(fixture.folder, 'gone');
    const wait = `until [ -e '${go}' ]; do sleep 0.05; done`;
    const stage = { before: { rm: `${DIE}; ${wait}` }, after: { rm: `touch '${gone}'` } };
    await killed(fixture, instance, 'true', stage, id);

    await using cell = await fixture.cell({ tenant });
    const program = cell.start({ argv: ['sh', '-c', 'echo ready; read go; exit 7'], env: {} });
    await untilPrinted(program, 'ready');
    writeFileSync(go, '');
    await until(() => existsSync(gone));
    program.stdin.write('go\n');
    assert.equal((await program.ended).code, 7);
  });

  it('a container of the same name that is not of the hall is left alone, and the refusal says so', async (fixture) => {
    const tenant = someone();
    const name = nameOf(tenant.instance);
    runEngine('create', '--name', name, 'localhost/guildhall-host', '/bin/true');
    await assert.rejects(fixture.cell({ tenant }), (error: Error) => {
      assert.ok(error instanceof CellRefused);
      assert.match(error.message, new RegExp(`${name} is there already.*container_prefix`));
      return true;
    });
    assert.equal(stateOf(tenant.instance), 'created');
    runEngine('rm', name);
    await using cell = await fixture.cell({ tenant });
    assert.equal((await sh(cell, 'true')).code, 0);
  });

  for (const { verb, act, what, because } of [
    { verb: 'inspect', act: 'said=garbage', what: 'is nonsense', because: /is process garbage/ },
    { verb: 'start', act: 'code=125', what: 'fails', because: /start failed/ },
    {
      verb: 'inspect',
      act: '{ kill -9 $said; while [ -e /proc/$said ]; do sleep 0.05; done; }',
      what: 'is overtaken by its end',
      because: /something else ended the container/,
    },
  ] as const) {
    it(`R26: a container whose ${verb} ${what} is refused and gone, and the next is not`, async (fixture) => {
      const tenant = someone();
      const folder = join(fixture.folder, 'engine');
      mkdirSync(folder);
      const once = `[ -e '${folder}/was' ] || { touch '${folder}/was'; ${act}; }`;
      const container = nameOf(tenant.instance);
      const { path } = stageEngine(folder, { container, after: { [verb]: once } });
      await using own = cellFixture(await createContainers({ path, prefix: PREFIX }));
      await assert.rejects(own.cell({ tenant }), (error: Error) => {
        assert.ok(error instanceof CellRefused, error.stack);
        assert.match(error.message, because);
        return true;
      });
      assert.notEqual(stateOf(tenant.instance), 'running');
      await using cell = await own.cell({ tenant });
      assert.equal((await sh(cell, 'true')).code, 0);
    });
  }

  it('an engine in which no program runs is refused with what it said', async (fixture) => {
    const folder = join(fixture.folder, 'engine');
    mkdirSync(folder);
    const act = 'echo "Error: no such runtime" >&2; exit 125';
    const { path } = stageEngine(folder, { container: 'luck-probe', before: { exec: act } });
    await assert.rejects(createContainers({ path, prefix: `${PREFIX}-luck` }), (error: Error) => {
      assert.ok(error instanceof CellRefused, error.stack);
      assert.match(error.message, /ended with \S.*: Error: no such runtime; (podman|docker) info/);
      return true;
    });
  });

  it('R26: a program is over although the engine does not come back from it', async (fixture) => {
    const tenant = someone();
    const folder = join(fixture.folder, 'engine');
    mkdirSync(folder);
    const container = nameOf(tenant.instance);
    const length = uniqueSleep();
    const { path } = stageEngine(folder, { container, before: { exec: `exec sleep ${length}` } });
    await using own = cellFixture(await createContainers({ path, prefix: PREFIX }));
    await using cell = await own.cell({ tenant });
    const program = cell.start({ argv: ['true'], env: {} });
    program.kill();
    assert.equal((await program.ended).signal, 'SIGKILL');
    assert.deepEqual(processesWith(length), []);
  });

  it('R26: a program that stops every other is killed all the same', async () => {
    const tenant = someone();
    const needs = { ...containerNeeds(), killTimeout: 5_000 };
    await using own = cellFixture(await createContainers(needs));
    await using cell = await own.cell({ tenant });
    const program = cell.start({ argv: ['node', '-e', STOP_ALL], env: {} });
    await untilPrinted(program, 'ready');
    program.kill();
    assert.equal((await program.ended).signal, 'SIGKILL');
  });

  function staged(fixture: CellFixture, instance: string, steps: Steps, id?: string): string {
    const folder = join(fixture.folder, `engine-${++stages}`);
    mkdirSync(folder);
    if (id !== undefined) writeFileSync(join(folder, 'id'), id);
    return stageEngine(folder, { container: nameOf(instance), ...steps }).program;
  }

  /** A worker that has a cell and is killed at a step of the engine. */
  async function killed(
    fixture: CellFixture,
    instance: string,
    script: string,
    steps: Steps,
    id?: string,
  ): Promise<void> {
    const engine = staged(fixture, instance, steps, id);
    const parent = startParent(CONTAINER, script, fixture.folder, instance, engine);
    const [, signal] = await once(parent, 'exit');
    assert.equal(signal, 'SIGKILL');
  }

  /** What a script says in a cell of another worker of the same instance. */
  async function said(
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
let people = 0;
function someone(): Tenant {
  people += 1;
  return { instance: `luck-${process.pid}-${people}`, project: null, image: null };
}

function nameOf(instance: string): string {
  return `${PREFIX}-${instance}`;
}

function stateOf(instance: string): string {
  const all = runEngine('ps', '--all', '--format', '{{.Names}} {{.State}}').split('\n');
  const own = all.find((line) => line.startsWith(`${nameOf(instance)} `));
  return own?.split(' ')[1]?.toLowerCase() ?? 'none';
}

/** Stops whoever would kill it before that one gets to it; it may, because both are the same user. */
const STOP_ALL = `
const { readdirSync } = require('node:fs');
console.log('ready');
for (;;) for (const pid of readdirSync('/proc')) {
  if (!/^\\d+$/.test(pid) || Number(pid) === process.pid) continue;
  try { process.kill(Number(pid), 'SIGSTOP'); } catch {}
}`;
