import { isLoopback } from '../config/units.ts';

interface Places {
  /** Where people and forges reach the hall, if the configuration says so. */
  readonly publicUrl: string | null;
  /** Where programs on this machine reach it. */
  readonly localUrl: string;
  readonly forge: { readonly name: string; readonly url: string };
}

/** Where a forge sends its deliveries; null when it cannot reach this hall, which then polls. */
export function webhookUrl({ publicUrl, localUrl, forge }: Places): string | null {
  const hall = (publicUrl ?? localUrl).replace(/\/+$/, '');
  if (isOnThisMachine(hall) && !isOnThisMachine(forge.url)) return null;
  return `${hall}/v1/webhooks/${forge.name}`;
}

function isOnThisMachine(url: string): boolean {
  return isLoopback(new URL(url).hostname.replace(/^\[|\]$/g, ''));
}
