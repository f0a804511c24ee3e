import { openWith } from '../board/open-secrets.ts';
import type { HallSettings } from '../config/config.ts';
import { isKeyFault } from '../ports/secrets-key.ts';
import type { Reads } from '../ports/store.ts';
import { createSecretsKey } from './secrets-key.ts';

export interface StoredSecrets {
  readonly names: readonly string[];
  /** Those that the key of this hall cannot decrypt. */
  readonly unreadable: readonly string[];
  /** Where the key is, or should be. */
  readonly key: string;
}

/** The secrets in a store that no hall uses now, and whether a hall with these settings could read them. */
export async function inspectSecrets(
  reads: Pick<Reads, 'secrets'>,
  hall: Pick<HallSettings, 'secretsKey' | 'data'>,
): Promise<StoredSecrets> {
  const stored = await reads.secrets();
  const names = stored.map(({ name }) => name);
  const key = createSecretsKey(hall, () => undefined);
  if (names.length === 0) return { names, unreadable: [], key: key.place };
  const read = await key.read();
  const keys = isKeyFault(read) ? [] : read;
  const unreadable = stored
    .filter(({ name, sealed }) => openWith(keys, name, sealed) === undefined)
    .map(({ name }) => name);
  return { names, unreadable, key: key.place };
}
