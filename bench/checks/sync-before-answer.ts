import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openOurs } from '../cells/contenders.ts';
import { connect, expect } from '../drivers/connection.ts';
import type { Lab } from '../lab.ts';
import { postedTask } from '../store/workload.ts';
import type { Exact } from './exactness.ts';

const CALLS = 'read,readv,recvfrom,recvmsg,write,writev,sendto,sendmsg,fsync,fdatasync';
const POSTS = 10;

/** Traces the system calls of a hall while tasks are posted one by one. */
export async function syncBeforeAnswer(lab: Lab): Promise<Exact> {
  if (spawnSync('strace', ['--version']).status !== 0) {
    return { fault: undefined, seen: 'not checked: strace is not installed' };
  }
  await using stack = new AsyncDisposableStack();
  const ours = await openOurs(lab, stack, { inFlight: 1 });
  const trace = join(lab.folder, 'trace');
  const strace = await attach(ours.hall.pid, trace);
  if (!strace) {
    return {
      fault: undefined,
      seen: 'not checked: strace cannot attach to processes on this machine',
    };
  }
  const operator = connect('lean', { url: ours.hall.url, token: ours.hall.token });
  for (let n = 0; n < POSTS; n += 1) await expect(operator, 'POST', '/v1/tasks', postedTask(n));
  operator.close();
  const ended = once(strace, 'exit');
  strace.kill('SIGINT');
  await ended;
  return judge(await readFile(trace, 'utf8'));
}

async function attach(pid: number, trace: string): Promise<ChildProcess | undefined> {
  const calls = ['-f', '-s', '64', '-e', `trace=${CALLS}`];
  const strace = spawn('strace', [...calls, '-o', trace, '-p', String(pid)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  strace.stderr.setEncoding('utf8');
  strace.stderr.on('data', (text: string) => {
    output += text;
  });
  for (let tries = 0; tries < 100; tries += 1) {
    if (output.includes('attached')) return strace;
    if (strace.exitCode !== null) return undefined;
    await pause(20);
  }
  strace.kill('SIGINT');
  return undefined;
}

/** Every 201 response must have a completed sync between it and its request. */
function judge(trace: string): Exact {
  let answers = 0;
  let synced = false;
  let isRequested = false;
  for (const line of trace.split('\n')) {
    if (/"POST \/v1\/tasks/.test(line)) {
      isRequested = true;
      synced = false;
    } else if (/\b(fdatasync|fsync)\b.*= 0/.test(line)) {
      synced = true;
    } else if (isRequested && /"HTTP\/1\.1 201/.test(line)) {
      answers += 1;
      isRequested = false;
      if (!synced) return { fault: `response ${answers} was sent without a sync`, seen: line };
    }
  }
  if (answers < POSTS) {
    return {
      fault: `only ${answers} of ${POSTS} responses are in the trace`,
      seen: 'output of strace',
    };
  }
  return { fault: undefined, seen: `${answers} requests under strace` };
}
