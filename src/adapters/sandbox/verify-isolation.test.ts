import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { buildOrSayWhy, KINDS, sandboxNeeds } from '../../../test/support/cell-kinds.ts';
import { resolverFile } from '../../../test/support/resolver-file.ts';
import { verifyIsolation } from '../cell/verify-isolation.ts';
import { DESCRIPTORS } from './bwrap-command.ts';
import { inspectHost } from './inspect-host.ts';
import { openCell } from './open-cell.ts';

interface Breach {
  readonly title: string;
  readonly change: (entry: readonly string[]) => readonly string[];
  /** Escape attempts that must succeed. */
  readonly seenBy: readonly string[];
  /** Where the breach can be made, or is one, only by this user. */
  readonly only?: 'root' | 'ordinary';
}

const BREACHES: readonly Breach[] = [
  {
    title: 'the network of the host',
    change: without('--unshare-net'),
    seenBy: ['namespaces', 'ports of the host', 'abstract sockets of the host'],
  },
  {
    title: 'the processes of the host',
    change: (entry) => without('--unshare-pid')(without('--as-pid-1')(entry)),
    seenBy: ['namespaces', 'processes of the host'],
    only: 'root',
  },
  { title: 'the IPC of the host', change: without('--unshare-ipc'), seenBy: ['namespaces'] },
  {
    title: 'the name of the host',
    change: (entry) => without('--unshare-uts')(without('--hostname', 1)(entry)),
    seenBy: ['namespaces', 'hostname'],
  },
  {
    title: 'user namespaces inside',
    change: without('--disable-userns'),
    seenBy: ['nested user namespace'],
  },
  { title: 'every system call', change: without('--seccomp', 1), seenBy: ['system calls'] },
  {
    title: 'one mount too many',
    change: within('--ro-bind', '/', '/host'),
    seenBy: ['unexpected mounts', 'unexpected folders'],
  },
  {
    title: 'the temporary files of the host',
    change: within('--ro-bind', tmpdir(), tmpdir()),
    seenBy: ['files of the host', 'objects of another repository'],
  },
  {
    title: 'the devices of the host',
    change: within('--dev-bind', '/dev', '/dev'),
    seenBy: ['devices'],
  },
  {
    title: 'the control groups of the host',
    change: within('--ro-bind', '/sys', '/sys'),
    seenBy: ['control groups', 'unexpected mounts'],
  },
  {
    title: 'a resolver',
    change: within('--ro-bind', resolverFile(), '/etc/resolv.conf'),
    seenBy: ['name resolution'],
  },
  {
    title: 'a writable root folder',
    change: without('--remount-ro', 1),
    seenBy: ['writes to read-only files'],
    only: 'ordinary',
  },
  {
    title: 'root inside',
    change: firstStageOnly,
    seenBy: ['another user', 'capabilities', 'kernel settings', 'mount'],
    only: 'root',
  },
];

const isRoot = process.getuid?.() === 0;

describe('the self-test of a sandbox', () => {
  test('D23: every escape attempt is blocked in an intact sandbox', async (t) => {
    const cells = await buildOrSayWhy(KINDS.sandbox);
    if ('missing' in cells) return t.skip(cells.missing);
    const probes = await cells.verifyIsolation();
    assert.deepEqual(
      probes.filter(({ blocked }) => !blocked),
      [],
    );
    assert.equal(probes.length >= 20, true);
  });

  for (const { title, change, seenBy, only } of BREACHES) {
    if (only && (only === 'root') !== isRoot) continue;
    test(`D23: the self-test notices a sandbox with ${title}`, async (t) => {
      const cells = await buildOrSayWhy(KINDS.sandbox);
      if ('missing' in cells) return t.skip(cells.missing);
      const broken = await brokenProbes(change);
      for (const name of seenBy) assert.equal(broken.includes(name), true, broken.join('; '));
    });
  }

  test('a descriptor open in the worker is not open inside a sandbox', async (t) => {
    const cells = await buildOrSayWhy(KINDS.sandbox);
    if ('missing' in cells) return t.skip(cells.missing);
    const program = join(import.meta.dirname, '../../../test/support/cell-parent.ts');
    const leaked = openSync('/etc/passwd', 'r');
    const stdio = [...Array(30).fill('ignore'), leaked];
    stdio[1] = 'pipe';
    const script = 'echo ready; ls -l /proc/self/fd | grep -c passwd';
    const child = spawn(process.execPath, [program, 'sandbox', script], { stdio });
    assert.ok(child.stdout);
    const out = await text(child.stdout);
    assert.equal(out, 'starting\nready\n0\n');
  });
});

async function brokenProbes(change: Breach['change']): Promise<string[]> {
  const host = inspectHost(sandboxNeeds());
  const probes = await verifyIsolation((plan) =>
    openCell(host, plan, ({ command }) => change(command)),
  );
  return probes.filter(({ blocked }) => !blocked).map(({ name }) => name);
}

/** The command line without an option and its values. */
function without(option: string, values = 0): Breach['change'] {
  return (entry) =>
    entry.filter((_, n) => !entry.slice(Math.max(0, n - values), n + 1).includes(option));
}

/** The command line with a mount more, made before the root folder is sealed. */
function within(...mount: string[]): Breach['change'] {
  return (entry) => entry.toSpliced(entry.lastIndexOf('--remount-ro'), 0, ...mount);
}

/** The view that root builds, without the second stage, in which another user enters it. */
function firstStageOnly(entry: readonly string[]): readonly string[] {
  const border = entry.indexOf('--');
  const lifeline = entry.slice(border, border + 5);
  const last = entry.slice(entry.lastIndexOf('--') + 1);
  return [...entry.slice(0, border), '--args', String(DESCRIPTORS.secrets), ...lifeline, ...last];
}
