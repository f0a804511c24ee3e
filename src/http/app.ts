import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ForgeDeliveries } from '../board/forge-deliveries.ts';
import type { Hall } from '../board/hall.ts';
import type { KnownSecrets } from '../board/known-secrets.ts';
import type { SecretStore } from '../board/secret-store.ts';
import type { Duration } from '../domain/ids.ts';
import type { SecretUse } from '../domain/secret.ts';
import type { Log } from '../ports/log.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { Account, Models } from '../ports/model.ts';
import type { PromptFiles } from '../ports/prompt-files.ts';
import type { Sessions } from '../ports/sessions.ts';
import type { Shell } from '../ports/shell.ts';
import type { FreeDisk, Machine } from '../queries/health.ts';
import { type Auth, createAuthenticator } from './authenticate.ts';
import { RequestDispatcher } from './dispatch.ts';
import { createForwarder } from './forward-to-leader.ts';
import { createGatewayForwarder } from './gateway/forward-to-leader.ts';
import { Gateway } from './gateway/gateway.ts';
import { type GitAccessOf, GitGateway } from './git/git-gateway.ts';
import { type Address, createHostCheck } from './host-check.ts';
import { type Listening, listen } from './listen.ts';
import { createStreams } from './open-streams.ts';
import { createOperations } from './operations.ts';
import type { ForgeConnections } from './routes/forges.ts';
import type { SecretOf } from './run-secrets.ts';
import { createWebhookReceiver, type WebhookSource } from './webhooks/receive-webhook.ts';

export interface AppNeeds {
  readonly hall: Hall;
  readonly auth: Auth;
  readonly address: Address;
  /** How often a worker should send a heartbeat. */
  readonly heartbeat: Duration;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly freeDisk: FreeDisk;
  /** The forges that the configuration declares. */
  readonly forges: () => readonly string[];
  /** What the hall runs on its own machine. */
  readonly machine: () => Machine;
  /** Parses the commands that agents want to run. */
  readonly shell: Shell;
  readonly version: string;
  /** The maximum number of open event streams. */
  readonly mostStreams: number;
  readonly promptFiles: PromptFiles;
  readonly sessions: Sessions;
  readonly models: Models;
  /** The secrets that the hall must redact. */
  readonly secrets: () => Iterable<string>;
  readonly secretOf: SecretOf;
  readonly gitAccessOf: GitAccessOf;
  readonly webhookSource: (forge: string) => WebhookSource | undefined;
  readonly deliveries: Pick<ForgeDeliveries, 'received' | 'refused'>;
  readonly forgeConnections: ForgeConnections;
  /** Reads the configuration again; what is wrong with it. */
  readonly reloadConfig: () => Promise<readonly string[]>;
  /** Takes the secrets that requests bring. */
  readonly known: KnownSecrets;
  readonly secretStore: SecretStore;
  /** The entries of the configuration that use a stored secret. */
  readonly secretUses: () => readonly SecretUse[];
  /** The model credential of an invoker, if there is one and it can be read. */
  readonly accountOf: (handle: string) => Account | undefined;
}

export interface App {
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Listens on the configured address. */
  listen(): Promise<Listening>;
  /** Ends the streams and accepts nothing that would have to wait. */
  stop(): void;
}

/** The hall's HTTP interface. */
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
    gitGateway: new GitGateway({ ...needs, authenticator }),
    receiveWebhook: createWebhookReceiver(needs),
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
