import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Driver, DriverKind, Place } from './driver.ts';

export interface Call {
  readonly id: number;
  readonly name: keyof Driver;
  readonly ask: unknown;
}

export type Answer =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly fault: string };

export interface RemoteDriver extends Driver {
  readonly pid: number;
}

/** A driver in a separate process. */
export async function startDriver(kind: DriverKind, place: Place): Promise<RemoteDriver> {
  const child = fork(join(import.meta.dirname, 'main.ts'), [kind, JSON.stringify(place)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const line = createLine(child, kind);
  await line.ready;
  const { ask } = line;
  return {
    pid: child.pid ?? 0,
    fill: (options) => ask('fill', options),
    tidy: () => ask('tidy'),
    waiting: () => ask('waiting'),
    begin: (options) => ask('begin', options),
    sample: () => ask('sample'),
    end: () => ask('end'),
    enqueue: (options) => ask('enqueue', options),
    pickup: (options) => ask('pickup', options),
    async close() {
      await ask('close');
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

interface Waiting {
  readonly settle: (result: unknown) => void;
  readonly fail: (fault: Error) => void;
}

function createLine(child: ChildProcess, kind: string) {
  const waiting = new Map<number, Waiting>();
  let last = 0;
  const expect = <T>(id: number) =>
    new Promise<T>((settle, fail) => {
      waiting.set(id, { settle: settle as (result: unknown) => void, fail });
    });
  const ready = expect<null>(0);

  child.on('message', (response: Answer) => {
    const waiter = waiting.get(response.id);
    waiting.delete(response.id);
    if ('fault' in response) waiter?.fail(new Error(`${kind}: ${response.fault}`));
    else waiter?.settle(response.result);
  });
  child.once('exit', (code, signal) => {
    const fault = new Error(`the ${kind} driver exited unexpectedly (${signal ?? code})`);
    for (const waiter of waiting.values()) waiter.fail(fault);
    waiting.clear();
  });

  return {
    ready,
    ask<T>(name: keyof Driver, ask?: unknown): Promise<T> {
      last += 1;
      const answer = expect<T>(last);
      child.send({ id: last, name, ask } satisfies Call);
      return answer;
    },
  };
}
