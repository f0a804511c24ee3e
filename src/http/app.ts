import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Hall } from '../board/hall.ts';
import type { Duration } from '../domain/ids.ts';
import type { Log } from '../ports/log.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { Account, Models } from '../ports/model.ts';
import type { PromptFiles } from '../ports/prompt-files.ts';
import type { Sessions } from '../ports/sessions.ts';
import type { Shell } from '../ports/shell.ts';
import type { FreeDisk, Machine } from '../queries/health.ts';
import { type Auth, createAuthenticator } from './authenticate.ts';
import { RequestDispatcher } from './dispatch.ts';
import { createForwarder } from './forward.ts';
import { createGatewayForwarder } from './gateway/forward-to-leader.ts';
import { Gateway } from './gateway/gateway.ts';
import { type Address, createHostCheck } from './hosts.ts';
import { type Listening, listen } from './listen.ts';
import { createOperations } from './operations.ts';
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
  readonly promptFiles: PromptFiles;
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
  const relay = createGatewayForwarder(hall);
  const authenticator = createAuthenticator(hall, auth);
  const dispatcher = new RequestDispatcher({
    ...needs,
    authenticator,
    gateway: new Gateway({ ...needs, authenticator, relay }),
    operations: createOperations({ ...needs, streams }),
    forwarder,
    checkHost: createHostCheck(address),
  });
  const handle = (request: IncomingMessage, response: ServerResponse) =>
    dispatcher.handle(request, response);
  return {
    handle,
    listen: () => listen(address, handle),
    stop() {
      dispatcher.stop();
      streams.endAll();
      forwarder.close();
      relay.close();
    },
  };
}
