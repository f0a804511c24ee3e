import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Lab } from '../lab.ts';
import { BENCH, isBuilt } from '../places.ts';

/** The machine, the versions and the settings of the measurement. */
export function conditions(lab: Lab): Readonly<Record<string, string>> {
  const { postgres, redis, folder } = lab;
  return {
    machine: `${availableParallelism()} cores (${cpus()[0]?.model.trim()}), ${gigabytes(totalmem())} GB, Linux ${release()}`,
    load: `${loadavg()[0]?.toFixed(1)} at the start`,
    disk: `${filesystemOf(folder)}; all stores are on it`,
    node: process.version,
    peers: peers(),
    ours: `the hall as a process of its own over HTTP/1.1, ${built()}; SQLite WAL with synchronous FULL`,
    client:
      'one keep-alive connection for each worker in flight; lean client unless stated otherwise',
    PostgreSQL: 'missing' in postgres ? postgres.missing : settings(postgres.settings),
    Redis: 'missing' in redis ? redis.missing : `${redis.version}, appendonly yes, no snapshots`,
  };
}

/** Stripping the types takes a second at every start and some memory, unlike the built hall. */
function built(): string {
  return isBuilt() ? 'built' : 'run from its sources, not built';
}

function gigabytes(bytes: number): string {
  return (bytes / 2 ** 30).toFixed(0);
}

function filesystemOf(folder: string): string {
  const output = execFileSync('df', ['--output=fstype,source', folder], { encoding: 'utf8' });
  const kind = output.trim().split('\n').at(-1)?.trim().replaceAll(/\s+/g, ' on ') ?? 'unknown';
  return kind.startsWith('tmpfs') ? `${kind}: MEMORY, NOT A DISK, syncs cost nothing` : kind;
}

function peers(): string {
  const file = readFileSync(join(BENCH, 'package.json'), 'utf8');
  const { dependencies } = JSON.parse(file) as { readonly dependencies: Record<string, string> };
  return Object.entries(dependencies)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ');
}

function settings(shown: Readonly<Record<string, string>>): string {
  return Object.entries(shown)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}
