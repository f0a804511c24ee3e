import { decide } from '../domain/decision.ts';
import {
  currentKey,
  removePreviousSecret,
  removeSecret,
  setSecret,
} from '../domain/edit-secrets.ts';
import { type Refusal, refuse } from '../domain/refusal.ts';
import type { Secret, SecretKind } from '../domain/secret.ts';
import { type EncryptionKey, isKeyFault } from '../ports/secrets-key.ts';
import type { SecretChange, SecretValue } from '../ports/store.ts';
import type { Decide } from './command.ts';
import type { Hall } from './hall.ts';
import { readBoard } from './read-board.ts';
import type { SecretStore } from './secret-store.ts';

export interface SecretNeeds {
  readonly hall: Hall;
  readonly secretStore: SecretStore;
}

interface NewValue {
  readonly name: string;
  readonly kind: SecretKind;
  readonly value: string;
  readonly keepsPrevious: boolean;
  /** Accept another key than the one that encrypts the secrets so far, and make one if there is none. */
  readonly isNewKey: boolean;
}

/** A change that is ready for the writer: the encrypted values, and the decision that goes with them. */
export interface Prepared<A> {
  readonly key: EncryptionKey;
  readonly decide: Decide<A>;
  readonly secrets: readonly SecretChange[];
}

/** Encrypts a value with the key of the stored secrets. The first secret makes the key. */
export async function prepareSecret(
  needs: SecretNeeds,
  { name, kind, value, keepsPrevious, isNewKey }: NewValue,
): Promise<Prepared<Secret> | Refusal> {
  const key = await keyForWriting(needs, isNewKey);
  if ('refused' in key) return key;
  const kept = needs.hall.board.secrets.get(name);
  const [only, ...others] = needs.secretStore.valuesOf(name, kind);
  if (kept && kept.key === key.id && only === value && others.length === 0) {
    return { key, decide: () => decide(kept, []), secrets: [] };
  }
  const before = keepsPrevious ? await storedValue(needs, name) : undefined;
  const previous = before?.sealed ?? null;
  return {
    key,
    decide: (board, now) =>
      setSecret(board, { name, kind, key: key.id, isNewKey, keepsPrevious }, now),
    secrets: [{ name, value: { sealed: key.seal(name, value), previous } }],
  };
}

async function storedValue({ hall }: SecretNeeds, name: string): Promise<SecretValue | undefined> {
  return (await hall.store.secrets()).find((stored) => stored.name === name);
}

async function keyForWriting(
  { hall, secretStore }: SecretNeeds,
  isNewKey: boolean,
): Promise<EncryptionKey | Refusal> {
  const current = await readBoard(hall, currentKey);
  const read = await secretStore.key.read();
  if (!isKeyFault(read)) {
    const known = read.find(({ id }) => id === current);
    const [first] = read;
    if (known) return known;
    if (first && (current === undefined || isNewKey)) return first;
  } else if (read.isMissing && (current === undefined || isNewKey)) {
    const made = await secretStore.key.create();
    return isKeyFault(made) ? refuse('secrets_locked', made.fault) : made;
  } else if (current === undefined) return refuse('secrets_locked', read.fault);
  await secretStore.reread();
  return secretStore.locked ?? refuse('secrets_locked', 'the key changed meanwhile; try again');
}

/** Removes a secret, or its value before the current one. This needs no key. */
export async function prepareRemoval(
  needs: SecretNeeds,
  { name, isPrevious }: { readonly name: string; readonly isPrevious: boolean },
): Promise<Omit<Prepared<string>, 'key'>> {
  if (!isPrevious) {
    return { decide: (board) => removeSecret(board, name), secrets: [{ name, value: null }] };
  }
  const stored = await storedValue(needs, name);
  const value = stored && { sealed: stored.sealed, previous: null };
  return {
    decide: (board) => removePreviousSecret(board, name),
    secrets: value ? [{ name, value }] : [],
  };
}
