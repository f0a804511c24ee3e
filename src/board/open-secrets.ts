import { operatorCommand } from '../domain/operator-command.ts';
import type { EncryptedSecret } from '../domain/secret.ts';
import { type EncryptionKey, isKeyFault, type KeyFault } from '../ports/secrets-key.ts';
import type { SecretValue } from '../ports/store.ts';

/** The values that are valid now, the newest first; or why they cannot be read, and what to do. */
export type OpenedSecret = { readonly values: readonly string[] } | { readonly fault: string };

type ReadKeys = readonly EncryptionKey[] | KeyFault;

/** Why these keys cannot be used for the secrets of the hall; null if they can. */
export function keyFaultOf(
  read: ReadKeys,
  current: string | undefined,
  place: string,
): string | null {
  if (isKeyFault(read)) return `${read.fault}; ${REMEDY}`;
  if (current === undefined || read.some(({ id }) => id === current)) return null;
  return `the key in ${place} is not the one that encrypts the secrets of this hall (${current}); ${REMEDY}`;
}

const REMEDY = `put the right key there, or enter the secrets again if it is lost: ${operatorCommand('secrets set', 'NAME --new-key')}`;

interface Stored {
  readonly stored: readonly SecretValue[];
  readonly read: ReadKeys;
  readonly place: string;
}

/** Decrypts the stored secrets by name. */
export function openSecrets(
  secrets: readonly EncryptedSecret[],
  { stored, read, place }: Stored,
): ReadonlyMap<string, OpenedSecret> {
  const values = new Map(stored.map((value) => [value.name, value]));
  return new Map(
    secrets.map((secret) => [
      secret.name,
      openOne(secret, { value: values.get(secret.name), read, place }),
    ]),
  );
}

function openOne(
  { name, key }: EncryptedSecret,
  { value, read, place }: Omit<Stored, 'stored'> & { readonly value: SecretValue | undefined },
): OpenedSecret {
  const again = `enter it again with: ${operatorCommand('secrets set', name)}`;
  if (!value) return { fault: `the value of secret ${name} is not in the database; ${again}` };
  if (isKeyFault(read)) {
    return {
      fault: `secret ${name} cannot be read: ${read.fault}; put it back, or ${again} --new-key`,
    };
  }
  const sealed = [value.sealed, ...(value.previous === null ? [] : [value.previous])];
  const opened = sealed.map((text) => openWith(read, name, text));
  if (opened[0] !== undefined) return { values: opened.filter((each) => each !== undefined) };
  if (!read.some(({ id }) => id === key)) {
    return {
      fault: `secret ${name} is encrypted with another key (${key}) than there is in ${place}; put that key there, or ${again} --new-key`,
    };
  }
  return { fault: `the encrypted value of secret ${name} was changed or damaged; ${again}` };
}

export function openWith(
  keys: readonly EncryptionKey[],
  name: string,
  sealed: string,
): string | undefined {
  for (const key of keys) {
    const value = key.open(name, sealed);
    if (value !== undefined) return value;
  }
  return undefined;
}
