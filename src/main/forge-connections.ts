import { signedHeaders } from '../adapters/forge/webhooks.ts';
import { checkForge } from '../board/check-forge.ts';
import {
  type ConnectedRepository,
  type ConnectNeeds,
  connectRepository,
} from '../board/connect-repository.ts';
import type { ForgeDeliveries } from '../board/forge-deliveries.ts';
import type { Hall } from '../board/hall.ts';
import { watchRepositories } from '../board/watch-repositories.ts';
import type { Config } from '../config/config.ts';
import type { ForgeConnections } from '../http/routes/forges.ts';
import type { Log } from '../ports/log.ts';
import type { Forges } from './forges.ts';
import { webhookUrl } from './webhook-url.ts';

interface Needs {
  readonly hall: Hall;
  readonly config: Config;
  /** The URL at which this machine reaches the hall. */
  readonly url: string;
  readonly log: Log;
  readonly forges: Forges;
  readonly deliveries: ForgeDeliveries;
}

interface RunningConnections extends ForgeConnections {
  /** Whether a webhook covers a repository, as far as this node knows. */
  isCovered(repo: string): boolean;
  stop(): Promise<void>;
}

/** Labels, webhooks and rights of the hall on its forges. */
export function startForgeConnections(needs: Needs): RunningConnections {
  const { hall, log, forges, deliveries } = needs;
  const { clock } = hall;
  const connecting: ConnectNeeds = {
    ...{ hall, deliveries, forgeNamed: forges.named },
    webhookUrl: (name) => urlFor(needs, name),
    webhookSecrets: (name) => forges.webhookSource(name)?.secrets() ?? [],
  };
  const watch = watchRepositories({
    ...{ ...connecting, clock, log },
    labelsEvery: (name) => forges.pollEvery(name).idle,
  });
  const placesOn = (name: string) => watch.places().filter((place) => place.name === name);
  return {
    statuses: () => watch.statuses(),
    isCovered: (repo) =>
      watch.statuses().some((each) => each.repo === repo && each.hook?.is === 'covered'),
    async connect(name, how) {
      if (!forges.named(name)) return undefined;
      const connected: ConnectedRepository[] = [];
      for (const place of placesOn(name))
        connected.push(await connectRepository(connecting, place, how));
      watch.lookAgain();
      return connected;
    },
    async check(name) {
      const forge = forges.named(name);
      if (!forge) return undefined;
      const sendTestDelivery = (_: string, url: string, secret: string) =>
        testDelivery(hall.board.forges.get(name)?.kind ?? 'github', url, secret);
      const trying = { ...connecting, sendTestDelivery, now: () => clock.now() };
      return checkForge(trying, { name, forge, places: placesOn(name) });
    },
    stop: () => watch.stop(),
  };
}

function urlFor({ hall, config, url: localUrl }: Needs, name: string): string | null {
  const forge = hall.board.forges.get(name);
  return forge ? webhookUrl({ publicUrl: config.hall.publicUrl, localUrl, forge }) : null;
}

const TIMEOUT = 10_000;

/** About no repository, so it only shows that the signature is checked and accepted. */
async function testDelivery(
  kind: Parameters<typeof signedHeaders>[0],
  url: string,
  secret: string,
): Promise<string | null> {
  const body = Buffer.from(JSON.stringify({ zen: 'a test of the hall by itself' }));
  const send = (headers: Readonly<Record<string, string>>) =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT),
    });
  try {
    const { status } = await send(signedHeaders(kind, body, secret));
    if (status !== 202) return `it was answered with ${status}`;
    const forged = await send(signedHeaders(kind, body, `not ${secret}`));
    return forged.status === 401 ? null : `a wrong signature was answered with ${forged.status}`;
  } catch (error) {
    const { cause, message } = error as Error;
    return cause instanceof Error ? cause.message : message;
  }
}
