import type { Instant } from './ids.ts';

/** What a stored secret is for. A reference in the configuration takes only a secret of its own kind. */
export const SECRET_KINDS = [
  'invoker_credential',
  'forge_token',
  'webhook_secret',
  'app_key',
] as const;
export type SecretKind = (typeof SECRET_KINDS)[number];

/** What the board knows about a stored secret. Its value is only in the store, encrypted. */
export interface Secret {
  readonly name: string;
  readonly kind: SecretKind;
  /** The id of the key that its value is encrypted with. */
  readonly key: string;
  readonly setAt: Instant;
  readonly setBy: string;
  /** The value before this one is still valid, while a webhook moves from one to the other. */
  readonly hasPrevious: boolean;
}

/** A secret with the number of the event that encrypted it last. */
export interface EncryptedSecret extends Secret {
  readonly seq: number;
}

/** An entry of the configuration that uses a stored secret. */
export interface SecretUse {
  /** The name of the secret. */
  readonly name: string;
  readonly kind: SecretKind;
  /** What does not work without the secret: `invoker ada`, `forge github`. */
  readonly owner: string;
  /** The setting of the entry: `credential`, `webhook_secret`. */
  readonly setting: string;
}

/** Shorter values cannot be redacted: they would match ordinary words. */
export const SHORTEST_SECRET = 8;

/** How the configuration refers to a stored secret: `secret:NAME`. */
const STORED_PREFIX = 'secret:';

/** The name in a reference to a stored secret; undefined for any other reference. */
export function storedName(reference: string): string | undefined {
  return reference.startsWith(STORED_PREFIX) ? reference.slice(STORED_PREFIX.length) : undefined;
}
