import type { Duration } from '../domain/ids.ts';
import type { ConnectableForge, HookChange } from '../ports/forge-setup.ts';
import type { ForgeDeliveries } from './forge-deliveries.ts';
import { forgeFault } from './forge-fault.ts';
import type { Hall } from './hall.ts';
import { type SeededLabels, seedLabels } from './seed-labels.ts';

export interface ConnectNeeds {
  readonly hall: Hall;
  readonly forgeNamed: (name: string) => ConnectableForge | undefined;
  /** Where a forge sends its deliveries; null when it cannot reach this hall. */
  readonly webhookUrl: (forge: string) => string | null;
  /** The webhook secrets that the hall accepts, the newest first. */
  readonly webhookSecrets: (forge: string) => readonly string[];
  readonly deliveries: ForgeDeliveries;
}

export interface RepositoryPlace {
  readonly forge: ConnectableForge;
  readonly name: string;
  /** `forge:acme/shop`, and `acme/shop` there. */
  readonly repo: string;
  readonly path: string;
}

export interface ConnectedRepository {
  readonly repo: string;
  readonly labels: SeededLabels;
  readonly hook: ConnectedHook;
  /** Why the repository is not connected as a whole; null when it is. */
  readonly failure: string | null;
}

export interface ConnectOptions {
  /** Gives the webhook the current secret even if it works. */
  readonly setsSecret: boolean;
}

type ConnectedHook =
  | { readonly is: HookChange; readonly isProven: boolean }
  | { readonly is: 'none'; readonly because: string };

/** How long a forge has to send a delivery that it was asked for. */
const TEST_WITHIN: Duration = 10_000;

/** Seeds the labels of a repository, makes its webhook, and has the forge send a delivery through it. */
export async function connectRepository(
  needs: ConnectNeeds,
  place: RepositoryPlace,
  how: ConnectOptions,
): Promise<ConnectedRepository> {
  const { repo, path, forge } = place;
  let labels: SeededLabels = { created: [], repaired: [] };
  let hook: ConnectedHook = { is: 'none', because: '' };
  const fault = await forgeFault(async () => {
    labels = await seedLabels(forge.setup, path, needs.hall.board);
    hook = await connectHook(needs, place, how);
  });
  if (fault === null) return { repo, labels, hook, failure: null };
  const because = fault.message;
  return { repo, labels, hook: { is: 'none', because }, failure: because };
}

async function connectHook(
  needs: ConnectNeeds,
  place: RepositoryPlace,
  { setsSecret }: ConnectOptions,
): Promise<ConnectedHook> {
  const url = needs.webhookUrl(place.name);
  if (url === null) return { is: 'none', because: NOT_REACHABLE };
  const [secret] = needs.webhookSecrets(place.name);
  if (secret === undefined) return { is: 'none', because: NO_SECRET };
  const { setup } = place.forge;
  const change = await setup.ensureHook(place.path, { url, secret, setsSecret });
  const arrival = await testedHook(needs, place, url);
  if (arrival !== 'wrong_signature') return { is: change, isProven: arrival === 'genuine' };
  // The webhook has another secret: one from an earlier time, or one that a person made.
  await setup.ensureHook(place.path, { url, secret, setsSecret: true });
  const again = await testedHook(needs, place, url);
  return { is: change === 'created' ? change : 'changed', isProven: again === 'genuine' };
}

export const NOT_REACHABLE =
  'the hall has no address that the forge can reach (hall.public_url), so it polls';
export const NO_SECRET = 'the forge has no webhook_secret, so the hall accepts no deliveries';

async function testedHook(
  { deliveries }: Pick<ConnectNeeds, 'deliveries'>,
  { repo, path, forge }: RepositoryPlace,
  url: string,
) {
  const arrival = deliveries.next(repo, TEST_WITHIN);
  const isSent = await forge.setup.testHook(path, url);
  return isSent ? arrival : 'nothing';
}
