import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../test/support/free-port.ts';
import { endWithUs } from './end-with-us.ts';
import { environment, type RedisProgram } from './find-redis.ts';

export interface RedisServer {
  readonly url: string;
  readonly pid: number;
  readonly sync: RedisSync;
  stop(): Promise<void>;
}

/** `always` answers after the sync that covers the answer, `everysec` up to a second before it. */
export type RedisSync = 'always' | 'everysec';

const START_TIMEOUT = 10_000;

/** A temporary Redis with its log in its own folder. */
export async function startRedis(program: RedisProgram, sync: RedisSync): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'guildhall-redis-'));
  const port = await freePort();
  const server = spawn(program.path, settings(folder, port, sync), {
    cwd: folder,
    env: environment(program.libraries),
    stdio: 'ignore',
  });
  endWithUs(server);
  await answering(server, port);
  return {
    url: `redis://127.0.0.1:${port}`,
    pid: server.pid ?? 0,
    sync,
    async stop() {
      const ended = once(server, 'exit');
      server.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function settings(folder: string, port: number, sync: RedisSync): string[] {
  const result = {
    bind: '127.0.0.1',
    port: String(port),
    dir: folder,
    appendonly: 'yes',
    appendfsync: sync,
    'no-appendfsync-on-rewrite': 'no',
    save: '',
    'maxmemory-policy': 'noeviction',
  };
  return Object.entries(result).flatMap(([name, value]) => [`--${name}`, value]);
}

async function answering(server: ChildProcess, port: number): Promise<void> {
  const until = performance.now() + START_TIMEOUT;
  while (server.exitCode === null && performance.now() < until) {
    if (await accepts(port)) return;
    await pause(25);
  }
  throw new Error(`Redis did not answer within ${START_TIMEOUT} ms (exit code ${server.exitCode})`);
}

function accepts(port: number): Promise<boolean> {
  return new Promise((settle) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      settle(true);
    });
    socket.once('error', () => settle(false));
  });
}
