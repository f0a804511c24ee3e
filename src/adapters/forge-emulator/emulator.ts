import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createControl, type ForgeControl } from './control.ts';
import { createGit } from './git/run-git.ts';
import { giteaDialect } from './gitea/dialect.ts';
import { githubDialect } from './github/dialect.ts';
import type { Urls } from './http/answer.ts';
import { createDeliveries, type Deliveries } from './http/deliveries.ts';
import type { Dialect } from './http/dialect.ts';
import { dispatchEvent } from './http/dispatch.ts';
import { createFaults, type Faults } from './http/faults.ts';
import { createRateBudget, type RateBudget } from './http/rate-budget.ts';
import { createHandler, type Exchange } from './http/server.ts';
import { createWorld, type World } from './state/world.ts';

export type ForgeKind = keyof typeof DIALECTS;

interface Options {
  readonly kind: ForgeKind;
  /** Holds the bare repositories; all else is in memory. */
  readonly folder: string;
  /** Where git is found. */
  readonly path: string;
  /** Any free one if left out. */
  readonly port?: number;
  readonly now?: () => number;
  /** How many requests an hour are answered. */
  readonly rateLimit?: number;
  /** Sees every request and its answer. */
  readonly onExchange?: (exchange: Exchange) => void;
}

/** A forge on loopback, without an account anywhere: pages for git, a REST API and hooks. */
export interface ForgeEmulator extends AsyncDisposable {
  /** Pages and git, as `url/owner/name.git`. */
  readonly url: string;
  readonly apiUrl: string;
  readonly control: ForgeControl;
  readonly faults: Faults;
  readonly deliveries: Deliveries;
  readonly rate: RateBudget;
  /** Nothing goes on in it: no CI, no look at conflicts, no delivery under way. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

const PER_HOUR = 5_000;

export async function startForgeEmulator(options: Options): Promise<ForgeEmulator> {
  const { now = Date.now, rateLimit = PER_HOUR, onExchange = () => undefined } = options;
  mkdirSync(options.folder, { recursive: true });
  const deliveries = createDeliveries(now);
  const server = createServer();
  const address = await listen(server, options.port ?? 0);
  const dialect: Dialect = DIALECTS[options.kind](() => world);
  const urls: Urls = { web: address, api: `${address}${dialect.prefix}` };
  const world: World = createWorld({
    rules: dialect.rules,
    git: createGit(options.path, options.folder),
    folder: join(options.folder, 'repositories'),
    now,
    emit: (event) => dispatchEvent({ dialect, world, deliveries, urls }, event),
  });
  const control = createControl(world, (asked) => dialect.hookEvents(asked));
  const faults = createFaults();
  const rate = createRateBudget(rateLimit, now);
  const handle = createHandler({ dialect, world, urls, deliveries, faults, rate, onExchange });
  server.on('request', (request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end(JSON.stringify({ message: String(error) }));
    });
  });
  async function idle() {
    await world.idle();
    await deliveries.idle();
  }
  async function close() {
    deliveries.stop();
    server.closeAllConnections();
    server.close();
    await world.idle();
  }
  return {
    ...{ url: urls.web, apiUrl: urls.api, control, faults, deliveries, rate },
    ...{ idle, close, [Symbol.asyncDispose]: close },
  };
}

const DIALECTS = {
  github: githubDialect,
  gitea: () => giteaDialect(false),
  forgejo: () => giteaDialect(true),
} satisfies Record<string, (world: () => World) => Dialect>;

async function listen(server: Server, port: number): Promise<string> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
