import type { Board } from './board.ts';
import { type Decision, decide, type Now, refuseWith } from './decision.ts';
import { type Refusal, refuse } from './refusal.ts';
import type { EncryptedSecret, Secret, SecretKind } from './secret.ts';

interface NewSecret {
  readonly name: string;
  readonly kind: SecretKind;
  /** The id of the key that encrypts it. */
  readonly key: string;
  /** The operator gives up the key so far, and with it the secrets that only it can read. */
  readonly isNewKey: boolean;
  /** Keeps the value so far valid beside the new one. */
  readonly keepsPrevious: boolean;
}

export function setSecret(board: Board, input: NewSecret, now: Now): Decision<Secret> {
  const { name, kind, key, isNewKey, keepsPrevious } = input;
  const before = board.secrets.get(name);
  const current = currentKey(board);
  if (current !== undefined && current !== key && !isNewKey) return refuseWith(otherKey(current));
  if (keepsPrevious && kind !== 'webhook_secret') {
    return refuseWith(refuse('invalid', `only a webhook_secret has two values at a time`));
  }
  const hasPrevious = keepsPrevious && before !== undefined;
  const secret: Secret = { name, kind, key, setAt: now.at, setBy: now.actor, hasPrevious };
  return decide(secret, [{ type: 'SecretSet', secret }]);
}

export function removeSecret(board: Board, name: string): Decision<string> {
  if (!board.secrets.has(name)) return refuseWith(unknownSecret(name));
  return decide(name, [{ type: 'SecretRemoved', secret: name }]);
}

/** Ends the time in which the value before the current one is valid too. */
export function removePreviousSecret(board: Board, name: string): Decision<string> {
  const secret = board.secrets.get(name);
  if (!secret) return refuseWith(unknownSecret(name));
  if (!secret.hasPrevious) {
    return refuseWith(refuse('unknown_secret', `secret ${name} has no previous value`));
  }
  return decide(name, [{ type: 'PreviousSecretRemoved', secret: name }]);
}

/** Records that all secrets are encrypted with another key; `names` are those that were. */
export function rotateSecrets(
  board: Board,
  { key, names }: { readonly key: string; readonly names: readonly string[] },
): Decision<readonly string[]> {
  const left = [...board.secrets.keys()].filter((name) => !names.includes(name));
  if (left.length > 0) {
    const because = `the secrets changed meanwhile (${left.join(', ')}); try again`;
    return refuseWith(refuse('secrets_locked', because));
  }
  return decide(names, [{ type: 'SecretsRotated', key, secrets: names }]);
}

/** The key that new secrets are encrypted with: that of the last one; undefined before the first. */
export function currentKey({ secrets }: Board): string | undefined {
  let last: EncryptedSecret | undefined;
  for (const secret of secrets.values()) if (!last || secret.seq > last.seq) last = secret;
  return last?.key;
}

function unknownSecret(name: string): Refusal {
  return refuse('unknown_secret', `there is no secret ${name}`);
}

/** Another leader, with another key, set a secret in the meantime. */
function otherKey(current: string): Refusal {
  return refuse(
    'secrets_locked',
    `the secrets are encrypted with key ${current}, not with this one`,
  );
}
