import type { ForgeEvent } from '../state/event.ts';
import type { Installation, Repository } from '../state/model.ts';
import { isCovered } from '../state/rights.ts';
import type { World } from '../state/world.ts';
import type { Urls } from './answer.ts';
import type { Deliveries } from './deliveries.ts';
import type { Dialect } from './dialect.ts';

interface Target {
  readonly hookId: number;
  readonly url: string;
  readonly secret: string;
  readonly events: readonly string[];
  readonly installation: Installation | null;
}

/** Posts an event to every hook that asked for it. */
export function dispatchEvent(
  { dialect, world, deliveries, urls }: DispatchNeeds,
  event: ForgeEvent,
): void {
  for (const target of targetsOf(world, event)) {
    const { installation, hookId, secret } = target;
    const appId = installation?.app.id ?? null;
    for (const message of dialect.messages(event, { urls, installation })) {
      if (event.is !== 'pinged' && !dialect.isHeard(target.events, message)) continue;
      const body = JSON.stringify(message.payload);
      const target_ = targetOf(appId, event.repository);
      deliveries.post({
        url: target.url,
        event: message.event,
        action: message.action,
        body,
        headers: (guid) =>
          dialect.hookHeaders({ message, guid, body, secret, hookId, target: target_ }),
        appId,
        installationId: installation?.id ?? null,
        repositoryId: event.repository.id,
      });
    }
  }
}

interface DispatchNeeds {
  readonly dialect: Dialect;
  readonly world: World;
  readonly deliveries: Deliveries;
  readonly urls: Urls;
}

function targetsOf({ apps }: World, event: ForgeEvent): Target[] {
  if (event.is === 'pinged') {
    return [{ ...event.hook, hookId: event.hook.id, installation: null }];
  }
  const ofRepository = event.repository.hooks
    .filter(({ isActive }) => isActive)
    .map((hook) => ({ ...hook, hookId: hook.id, installation: null }));
  const ofApps = apps.flatMap(({ hook, installations, events, id }) =>
    installations
      .filter((installation) => isAbout(event, installation))
      .flatMap((installation) =>
        hook ? [{ ...hook, hookId: id, events: [...events, ...UNASKED], installation }] : [],
      ),
  );
  return [...ofRepository, ...ofApps];
}

/** An App hears of its own installation whatever it asked for. */
const UNASKED = ['installation', 'installation_repositories'];

function isAbout(event: ForgeEvent, installation: Installation): boolean {
  if (event.is === 'installed') return event.installation === installation;
  return isCovered({ installation, repositories: null }, event.repository);
}

function targetOf(appId: number | null, { id }: Repository) {
  return appId === null
    ? ({ type: 'repository', id } as const)
    : ({ type: 'integration', id: appId } as const);
}
