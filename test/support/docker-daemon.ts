import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { dismiss, watchOver } from './end-with-parent.ts';

/** A temporary Docker daemon with its own images and containers, which ends with the process that started it. */
export interface DockerDaemon {
  /** As in DOCKER_HOST. */
  readonly host: string;
  readonly pid: number;
  /** Removes everything that it had. */
  stop(): Promise<void>;
}

const START_TIMEOUT = 120_000;

/** Needs root. Its containers have no network, so it changes nothing of that of this machine. */
export async function startDockerDaemon(
  docker: string,
  dockerd: string,
): Promise<DockerDaemon | { readonly missing: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'guildhall-docker-'));
  const watcher = watchOver(folder, END_DAEMON);
  const daemon = spawnDaemon(dockerd, folder);
  const host = socketOf(folder);
  if (await answers(docker, host, daemon)) {
    return { host, pid: daemon.pid ?? 0, stop: () => dismiss(watcher) };
  }
  const because = lastLine(readFileSync(logOf(folder), 'utf8'));
  await dismiss(watcher);
  return { missing: `dockerd did not start: ${because}` };
}

/** It ends its containers and containerd first. What a killed one left behind is killed too. */
const END_DAEMON = `
ended() { for _ in $(seq 600); do kill -0 "$1" 2>/dev/null || return 0; sleep 0.1; done; return 1; }
daemon=$(cat pid 2>/dev/null) containerd=$(cat exec/containerd/containerd.pid 2>/dev/null)
for pid in $daemon $containerd; do
  kill -TERM "$pid" 2>/dev/null
  ended "$pid" || kill -KILL "$pid"
done
awk -v "folder=$0/" 'index($2, folder) == 1 { print $2 }' /proc/mounts | xargs -r -n 1 umount --lazy`;

function spawnDaemon(dockerd: string, folder: string): ChildProcess {
  const config = join(folder, 'daemon.json');
  // Not that of this machine.
  writeFileSync(config, '{}');
  const log = openSync(logOf(folder), 'a');
  const options = [
    ...['--config-file', config, '--host', socketOf(folder), '--pidfile', join(folder, 'pid')],
    ...['--data-root', join(folder, 'data'), '--exec-root', join(folder, 'exec')],
    ...['--storage-driver=vfs', '--bridge=none', '--iptables=false'],
  ];
  const daemon = spawn(dockerd, options, { detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  daemon.unref();
  return daemon;
}

async function answers(docker: string, host: string, daemon: ChildProcess): Promise<boolean> {
  const until = performance.now() + START_TIMEOUT;
  while (daemon.exitCode === null && daemon.signalCode === null && performance.now() < until) {
    const env = { ...process.env, DOCKER_HOST: host };
    const isUp = await promisify(execFile)(docker, ['version'], { env }).then(
      () => true,
      () => false,
    );
    if (isUp) return true;
    await wait(100);
  }
  return false;
}

function socketOf(folder: string): string {
  return `unix://${join(folder, 'docker.sock')}`;
}

function logOf(folder: string): string {
  return join(folder, 'log');
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
