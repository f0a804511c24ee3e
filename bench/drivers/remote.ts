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

/** A driver in a process of its own. */
export async function startDriver(kind: DriverKind, place: Place): Promise<RemoteDriver> {
  const child = fork(join(import.meta.dirname, 'main.ts'), [kind, JSON.stringify(place)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const line = createLine(child, kind);
  await line.ready;
  const { ask } = line;
  return {
    pid: child.pid ?? 0,
    fill: (asked) => ask('fill', asked),
    tidy: () => ask('tidy'),
    waiting: () => ask('waiting'),
    begin: (asked) => ask('begin', asked),
    sample: () => ask('sample'),
    end: () => ask('end'),
    enqueue: (asked) => ask('enqueue', asked),
    pickup: (asked) => ask('pickup', asked),
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

  child.on('message', (said: Answer) => {
    const who = waiting.get(said.id);
    waiting.delete(said.id);
    if ('fault' in said) who?.fail(new Error(`${kind}: ${said.fault}`));
    else who?.settle(said.result);
  });
  child.once('exit', (code, signal) => {
    const fault = new Error(`the ${kind} driver exited unexpectedly (${signal ?? code})`);
    for (const who of waiting.values()) who.fail(fault);
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
