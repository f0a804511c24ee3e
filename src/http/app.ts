import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Hall } from '../board/hall.ts';
import type { Duration } from '../domain/ids.ts';
import type { Log } from '../ports/log.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { Account, Models } from '../ports/model.ts';
import type { Sessions } from '../ports/sessions.ts';
import type { Sheets } from '../ports/sheets.ts';
import type { Shell } from '../ports/shell.ts';
import type { FreeDisk, Machine } from '../queries/health.ts';
import { Door } from './door.ts';
import { createForwarder } from './forward.ts';
import { Gateway } from './gateway/gateway.ts';
import { createRelay } from './gateway/relay.ts';
import { type Address, createHostCheck } from './hosts.ts';
import { createImplementations } from './implementations.ts';
import { type Auth, createKeyring } from './keyring.ts';
import { type Listening, listen } from './listen.ts';
import { createStreams } from './streams.ts';

export interface AppNeeds {
  readonly hall: Hall;
  readonly auth: Auth;
  readonly address: Address;
  /** How often a worker is to say that it lives. */
  readonly heartbeat: Duration;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly freeDisk: FreeDisk;
  /** What the hall does on its own machine. */
  readonly machine: () => Machine;
  /** Reads the commands that agents want to run. */
  readonly shell: Shell;
  readonly version: string;
  /** How many event streams may be open at once. */
  readonly mostStreams: number;
  readonly sheets: Sheets;
  readonly sessions: Sessions;
  readonly models: Models;
  /** What the hall knows and nobody else may read. */
  readonly secrets: () => Iterable<string>;
  /** The model credential of an invoker, where the configuration has one. */
  readonly accountOf: (handle: string) => Account | undefined;
}

export interface App {
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Answers at the address it was given. */
  listen(): Promise<Listening>;
  /** Ends the streams and answers nothing that would have to wait. */
  stop(): void;
}

/** Everything the hall says over HTTP. */
export function createApp(needs: AppNeeds): App {
  const { hall, auth, address } = needs;
  const streams = createStreams(hall, needs.mostStreams);
  const forwarder = createForwarder(hall);
  const relay = createRelay(hall);
  const keyring = createKeyring(hall, auth);
  const door = new Door({
    ...needs,
    keyring,
    gateway: new Gateway({ ...needs, keyring, relay }),
    implementations: createImplementations({ ...needs, streams }),
    forwarder,
    checkHost: createHostCheck(address),
  });
  const handle = (request: IncomingMessage, response: ServerResponse) =>
    door.handle(request, response);
  return {
    handle,
    listen: () => listen(address, handle),
    stop() {
      door.stop();
      streams.endAll();
      forwarder.close();
      relay.close();
    },
  };
}
