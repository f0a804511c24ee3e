import type { Board } from '../domain/board.ts';
import { currentKey, rotateSecrets } from '../domain/edit-secrets.ts';
import { type Refusal, refuse } from '../domain/refusal.ts';
import { type EncryptionKey, isKeyFault } from '../ports/secrets-key.ts';
import type { Prepared, SecretNeeds } from './change-secrets.ts';
import { openWith } from './open-secrets.ts';
import { readBoard } from './read-board.ts';
import type { SecretStore } from './secret-store.ts';

/** Encrypts all secrets again, with a newer key if there is one and else with one that the hall makes. */
export async function prepareRotation({
  hall,
  secretStore,
}: SecretNeeds): Promise<Prepared<readonly string[]> | Refusal> {
  const { names, current } = await readBoard(hall, namesIn);
  if (current === undefined) return refuse('unknown_secret', 'no secret is stored');
  const read = await secretStore.key.read();
  const stored = new Map((await hall.store.secrets()).map((each) => [each.name, each]));
  const keys = isKeyFault(read) ? [] : read;
  const opened = names.map((name) => {
    const { sealed = '', previous = null } = stored.get(name) ?? {};
    const value = openWith(keys, name, sealed);
    return { name, value, previous: previous === null ? null : openWith(keys, name, previous) };
  });
  const unreadable = opened.filter(({ value }) => value === undefined).map(({ name }) => name);
  if (unreadable.length > 0)
    return unreadableSecrets(unreadable, isKeyFault(read) ? read.fault : null);
  const key = await nextKey(secretStore, keys, current);
  if ('refused' in key) return key;
  const seal = (name: string, value: string) => key.seal(name, value);
  return {
    key,
    decide: (board) => rotateSecrets(board, { key: key.id, names }),
    secrets: opened.map(({ name, value = '', previous }) => ({
      name,
      value: {
        sealed: seal(name, value),
        previous: previous == null ? null : seal(name, previous),
      },
    })),
  };
}

function namesIn(board: Board) {
  return { names: [...board.secrets.keys()], current: currentKey(board) };
}

function unreadableSecrets(names: readonly string[], fault: string | null): Refusal {
  const because = fault === null ? '' : `: ${fault}`;
  return refuse(
    'secrets_locked',
    `cannot encrypt again what cannot be read (${names.join(', ')})${because}; set or remove these first`,
  );
}

async function nextKey(
  { key, isShared }: SecretStore,
  [first]: readonly EncryptionKey[],
  current: string,
): Promise<EncryptionKey | Refusal> {
  if (first && first.id !== current) return first;
  if (!isShared) {
    const added = await key.addFirst();
    return isKeyFault(added) ? refuse('no_new_key', added.fault) : added;
  }
  return refuse(
    'no_new_key',
    `several nodes may share this database: on each of them, put the new key into ${key.place} as the first line, above the old one, then rotate again`,
  );
}
