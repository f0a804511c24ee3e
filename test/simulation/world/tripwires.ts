import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

let tripped: ((what: string) => void) | undefined;
let isInstalled = false;

/** While it runs, any use of real time, randomness, timers or the network throws. */
export async function withoutTheWorld<T>(
  told: (what: string) => void,
  run: () => Promise<T>,
): Promise<T> {
  if (!isInstalled) install();
  tripped = told;
  try {
    return await run();
  } finally {
    tripped = undefined;
  }
}

function install(): void {
  isInstalled = true;
  trip(Date, 'Date', ['now']);
  trip(Math, 'Math', ['random']);
  trip(performance, 'performance', ['now']);
  trip(globalThis, 'globalThis', ['setTimeout', 'setInterval', 'setImmediate', 'fetch']);
  trip(globalThis.crypto, 'crypto', ['getRandomValues', 'randomUUID']);
  trip(crypto, 'node:crypto', ['randomBytes', 'randomUUID', 'randomInt', 'randomFill']);
  trip(crypto, 'node:crypto', ['randomFillSync']);
  trip(net, 'node:net', ['connect', 'createConnection']);
  trip(net.Socket.prototype, 'Socket', ['connect']);
  globalThis.Date = dateWithoutNow(Date);
  syncBuiltinESMExports();
}

function trip(owner: object, name: string, members: readonly string[]): void {
  for (const member of members) {
    const real: unknown = Reflect.get(owner, member);
    if (typeof real !== 'function') throw new Error(`${name}.${member} is no function to guard`);
    function guarded(this: unknown, ...given: unknown[]): unknown {
      refuse(`${name}.${member}`);
      return Reflect.apply(real as () => unknown, this, given);
    }
    Object.defineProperty(owner, member, { value: guarded, configurable: true, writable: true });
  }
}

/** A date of a given time is arithmetic; a date of nothing is a look at the clock. */
function dateWithoutNow(real: DateConstructor): DateConstructor {
  return new Proxy(real, {
    construct(target, given, made) {
      if (given.length === 0) refuse('new Date()');
      return Reflect.construct(target, given, made);
    },
    apply(target, self, given) {
      refuse('Date()');
      return Reflect.apply(target, self, given);
    },
  });
}

/** Reported as well as thrown: the hall might handle the exception like a known fault. */
function refuse(what: string): void {
  if (!tripped) return;
  tripped(what);
  throw new Error(`the simulated hall asked the real world: ${what}`);
}
