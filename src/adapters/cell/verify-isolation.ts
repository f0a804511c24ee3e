import { spawn } from 'node:child_process';
import { createHash, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ListenOptions, type Server } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { deflateSync } from 'node:zlib';
import type { Cell, CellPlan, EscapeAttempt, Tenant } from '../../ports/cell.ts';
import { INSIDE } from './layout.ts';

/** A cell that can list its mount points. */
export interface InspectableCell extends Cell {
  readonly mountPoints: readonly string[];
  /** Host namespaces that this kind of cell has to share; its gaps name them. */
  readonly sharedNamespaces?: readonly string[];
}

/** Tenant of the cells that only verify isolation. */
export const SELF_TEST_TENANT: Tenant = { instance: 'probe', project: null, image: null };

const SCRIPT = `${INSIDE.tools}/escape-attempts.mjs`;

/** Opens a cell, places bait files on the host and runs a script inside that tries to reach them. */
export async function verifyIsolation(
  open: (plan: CellPlan) => Promise<InspectableCell>,
): Promise<EscapeAttempt[]> {
  const folder = mkdtempSync(join(tmpdir(), 'cell-'));
  const canaries = createCanaries(folder);
  const listeners = [
    await listen({ host: '127.0.0.1', port: 0 }),
    await listen({ path: `\0${canaries.facts.abstract}` }),
  ] as const;
  try {
    await using cell = await open(planFor(folder));
    const { mountPoints, sharedNamespaces = [] } = cell;
    const namespaces = namespacesExcept(sharedNamespaces);
    const port = portOf(listeners[0]);
    return await runEscapeAttempts(cell, { ...canaries.facts, port, mountPoints, namespaces });
  } finally {
    canaries.remove();
    for (const listener of listeners) listener.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function planFor(folder: string): CellPlan {
  const cellFolder = join(folder, 'cell');
  mkdirSync(cellFolder);
  return {
    name: 'probe',
    folder: cellFolder,
    readable: [{ from: join(import.meta.dirname, 'escape-attempts.js'), to: SCRIPT }],
    sockets: {},
    limits: { cpus: null, memoryBytes: null, pids: null },
    tenant: SELF_TEST_TENANT,
  };
}

async function runEscapeAttempts(cell: Cell, facts: object): Promise<EscapeAttempt[]> {
  const program = cell.start({ argv: ['node', SCRIPT, JSON.stringify(facts)], env: {} });
  program.stdin.end();
  const [out, err, end] = await Promise.all([
    text(program.stdout),
    text(program.stderr),
    program.ended,
  ]);
  const attempts = out
    .split('\n')
    .filter((line) => line !== '')
    .map((line): EscapeAttempt => JSON.parse(line));
  if (end.code === 0 && attempts.length > 0) return attempts;
  const found = `${end.signal ?? `exit code ${end.code}`}: ${err.trim().split('\n').at(-1)}`;
  return [...attempts, { name: 'all probes', blocked: false, found }];
}

const NAMESPACES = ['cgroup', 'ipc', 'mnt', 'net', 'pid', 'user', 'uts'];

function namespacesExcept(shared: readonly string[]) {
  const separate = NAMESPACES.filter((kind) => !shared.includes(kind));
  return Object.fromEntries(separate.map((kind) => [kind, readlinkSync(`/proc/self/ns/${kind}`)]));
}

/** Host files that must stay unreachable; only the isolation protects them. */
function createCanaries(folder: string) {
  chmodSync(folder, 0o755);
  const file = join(folder, 'file');
  writeFileSync(file, 'of the host', { mode: 0o644 });
  const marker = `canary-${randomInt(1e9)}`;
  // Waits as long as this process runs, however slow the machine is.
  const waiting = spawn('sh', ['-c', 'read _', marker], { stdio: ['pipe', 'ignore', 'ignore'] });
  const facts = {
    file,
    ...createCanaryRepository(folder),
    canary: { pid: waiting.pid, word: marker },
    abstract: `guildhall-${marker}`,
    hostname: hostname(),
  };
  return { facts, remove: () => waiting.kill('SIGKILL') };
}

/** One loose object, as git stores it. */
function createCanaryRepository(folder: string) {
  const blob = 'blob 4\0bait';
  const object = createHash('sha1').update(blob).digest('hex');
  const objects = join(folder, 'objects');
  mkdirSync(join(objects, object.slice(0, 2)), { recursive: true });
  writeFileSync(join(objects, object.slice(0, 2), object.slice(2)), deflateSync(blob));
  return { objects, object };
}

async function listen(where: ListenOptions): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  server.listen(where);
  await once(server, 'listening');
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the listener has no port');
  return address.port;
}
