import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, test } from 'node:test';
import { cellFixture, sh, untilPrinted } from '../../../test/support/cell-fixture.ts';
import { testsWith } from '../../../test/support/cell-kinds.ts';
import { CONTAINER, containerNeeds, runEngine } from '../../../test/support/container-kind.ts';
import { NO_TENANT } from '../../../test/support/no-tenant.ts';
import { resolverFile } from '../../../test/support/resolver-file.ts';
import { importImage } from '../../../test/support/worker-image.ts';
import { CellRefused } from '../../ports/cell.ts';
import { verifyIsolation } from '../cell/verify-isolation.ts';
import { createContainers } from './containers.ts';
import { findEngine } from './engine.ts';
import { inspectHost } from './inspect-host.ts';
import { openCell } from './open-cell.ts';

type Change = (options: readonly string[]) => readonly string[];

interface Breach {
  readonly title: string;
  readonly change: Change;
  readonly only?: 'podman' | 'docker';
  /** Escape attempts that must succeed. */
  readonly seenBy: readonly string[];
}

const resolver = resolverFile();

const BREACHES: readonly Breach[] = [
  {
    title: 'the network of the host',
    change: instead('--network', 'none', 'host'),
    seenBy: ['namespaces', 'ports of the host', 'abstract sockets of the host'],
  },
  {
    title: 'the processes of the host',
    change: within('--pid', 'host'),
    seenBy: ['namespaces', 'processes of the host'],
  },
  {
    title: 'every system call',
    change: (options) =>
      options.map((option) => (option.startsWith('seccomp=') ? 'seccomp=unconfined' : option)),
    seenBy: ['system calls', 'nested user namespace'],
  },
  {
    title: 'programs that gain rights',
    change: (options) =>
      options.map((option) =>
        option === 'no-new-privileges' ? 'no-new-privileges=false' : option,
      ),
    seenBy: ['set-user-id programs'],
  },
  {
    title: 'one mount too many',
    change: within('--mount', 'type=bind,src=/,dst=/host,readonly'),
    seenBy: ['unexpected mounts', 'unexpected folders'],
  },
  {
    title: 'the temporary files of the host',
    change: (options) => {
      const at = options.findIndex((option) => option.startsWith('/tmp:'));
      const mount = ['--mount', `type=bind,src=${tmpdir()},dst=${tmpdir()},readonly`];
      return options.toSpliced(at - 1, 2, ...mount);
    },
    seenBy: ['files of the host', 'objects of another repository'],
  },
  {
    title: 'its control groups',
    // Docker mounts what it has in /sys before what is asked for, so that either of them hides it.
    change: (options) =>
      options
        .filter((option) => option.startsWith('/sys'))
        .reduce((left, value) => without('--tmpfs', value)(left), options),
    seenBy: ['control groups'],
  },
  {
    title: 'a resolver',
    change: (options) =>
      options.map((option) =>
        option.endsWith('dst=/etc/resolv.conf,readonly')
          ? `type=bind,src=${resolver},dst=/etc/resolv.conf,readonly`
          : option,
      ),
    seenBy: ['name resolution'],
  },
  {
    title: 'a device of the host',
    change: within('--device', '/dev/kmsg'),
    seenBy: ['devices'],
  },
  {
    title: 'the name of the host',
    change: (options) => within('--uts', 'host')(without('--hostname', 'cell')(options)),
    seenBy: ['namespaces', 'hostname'],
  },
  {
    title: 'the users of the host',
    only: 'podman',
    // The options depend on the user of the worker.
    change: (options) =>
      ['--userns', '--uidmap', '--gidmap']
        .filter((option) => options.includes(option))
        .reduce((left, option) => without(option)(left), options),
    // The self-test cannot even start: the folders of the run belong to a user it does not have.
    seenBy: ['all probes'],
  },
];

describe('the self-test of a container', () => {
  const it = testsWith(CONTAINER);

  it('D23: every escape attempt is blocked in an intact container', async (cells) => {
    const probes = await cells.verifyIsolation();
    assert.deepEqual(
      probes.filter(({ blocked }) => !blocked),
      [],
    );
    assert.equal(probes.length >= 20, true);
  });

  const own = findEngine(containerNeeds())?.kind ?? 'podman';
  for (const { title, change, seenBy } of BREACHES.filter(({ only = own }) => only === own)) {
    it(`D23: the self-test notices a container with ${title}`, async () => {
      const machine = await inspectHost(containerNeeds());
      const probes = await verifyIsolation((plan) => openCell(machine, plan, change));
      const broken = probes.filter(({ blocked }) => !blocked);
      const seen = broken.map(({ name, found }) => `${name}: ${found}`).join('; ');
      for (const each of seenBy)
        assert.ok(
          broken.some(({ name }) => name === each),
          seen,
        );
    });
  }

  it('a container that shares the processes of the host ends only its own programs', async (cells) => {
    await using intact = cellFixture(cells);
    const neighbour = await intact.cell();
    const script = ['sh', '-c', 'echo ready; read go; exit 7'] as const;
    const program = neighbour.start({ argv: script, env: {} });
    await untilPrinted(program, 'ready');
    const machine = await inspectHost(containerNeeds());
    const change = within('--pid', 'host');
    await using sharing = cellFixture({
      ...cells,
      open: (plan) => openCell(machine, plan, change),
    });
    assert.equal((await sh(await sharing.cell(), 'true')).code, 0);
    program.stdin.write('go\n');
    assert.equal((await program.ended).code, 7);
  });

  it('A63: a cell plan cannot add an engine option, and a path that would is refused', async (cells) => {
    await using fixture = cellFixture(cells);
    const from = `${fixture.folder}/x,rw`;
    const refused = fixture.cell({ readable: [{ from, to: '/x' }] });
    await assert.rejects(refused, refusal(/cannot be mounted/));
    await using other = cellFixture(cells);
    const cell = await other.cell({
      tenant: { ...NO_TENANT, instance: 'option-like--privileged' },
    });
    assert.match((await sh(cell, 'grep CapEff /proc/self/status')).out, /0{16}/);
  });

  it('D23: a missing image is refused with the command to pull it', async (cells) => {
    await using fixture = cellFixture(cells);
    const tenant = { ...NO_TENANT, image: 'localhost/no-such-image' };
    await assert.rejects(
      fixture.cell({ tenant }),
      refusal(/no-such-image is not on this machine; .* pull/),
    );
  });

  it('cells name the namespaces that they share with the host', async ({ gaps }) => {
    const shared = gaps.filter((gap) => gap.includes('share'));
    assert.equal(shared.length, own === 'docker' ? 1 : 0, shared.join());
  });

  it('A63: only the files of an image are used, not its volumes, user, folder or entry point', async (cells) => {
    const image = `localhost/guildhall-test-image-${process.pid}`;
    const declares = ['USER 0', 'WORKDIR /kept', 'ENTRYPOINT ["/bin/false"]'];
    importImage(image, { declares: ['VOLUME /kept', ...declares] });
    if (own === 'docker') {
      await using refusing = cellFixture(cells);
      const tenant = { ...NO_TENANT, instance: 'own-image', image };
      await assert.rejects(refusing.cell({ tenant }), refusal(/declares volumes \(\/kept\)/));
      importImage(image, { declares });
    }
    try {
      await using fixture = cellFixture(cells);
      await using cell = await fixture.cell({
        tenant: { ...NO_TENANT, instance: 'own-image', image },
      });
      const { out } = await sh(cell, 'ls; pwd; cat /proc/self/status /proc/mounts');
      assert.match(out, /^of the image\n\/work\n/);
      assert.doesNotMatch(out, /Uid:\t0\t| \/kept /);
      assert.match(out, /CapEff:\t0{16}\n/);
      assert.equal((await sh(cell, 'echo x > /kept/x')).code === 0, false);
    } finally {
      runEngine('rmi', '--force', image);
    }
  });

  it('programs of an image trust the CA bundle of the host', async (cells) => {
    const bundle = '/etc/ssl/certs/ca-certificates.crt';
    const image = `localhost/guildhall-test-certificates-${process.pid}`;
    importImage(image, { declares: [] });
    try {
      await using fixture = cellFixture(cells);
      await using cell = await fixture.cell({
        tenant: { ...NO_TENANT, instance: 'own-certificates', image },
      });
      assert.ok((await sh(cell, `cat ${bundle}`)).out === readFileSync(bundle, 'utf8'));
    } finally {
      runEngine('rmi', '--force', image);
    }
  });
});

test('D23: a machine without an engine is refused with the command to install one', async () => {
  await assert.rejects(createContainers({ path: '/nowhere' }), refusal(/apt install podman/));
});

function refusal(pattern: RegExp) {
  return (error: Error) => error instanceof CellRefused && pattern.test(error.message);
}

function within(...words: string[]): Change {
  return (options) => [...words, ...options];
}

/** Without an option and its value, or only where it has that value. */
function without(option: string, value?: string): Change {
  return (options) => {
    const at = options.findIndex(
      (each, n) => each === option && (value === undefined || options[n + 1] === value),
    );
    assert.notEqual(at, -1, `${option} is not among the options`);
    return options.toSpliced(at, 2);
  };
}

function instead(option: string, value: string, other: string): Change {
  return (options) =>
    options.map((each, n) => (each === value && options[n - 1] === option ? other : each));
}
