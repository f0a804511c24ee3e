import type { Health } from '../api/overview.ts';
import type { Hall } from '../board/hall.ts';
import type { SecretStore } from '../board/secret-store.ts';
import type { SecretUse } from '../domain/secret.ts';

type Component = Health['components'][number];

interface Needs {
  readonly hall: Hall;
  readonly secretStore: SecretStore;
  readonly secretUses: () => readonly SecretUse[];
}

/** The stored secrets, and each entry of the configuration that needs one. */
export function secretsHealth({ hall, secretStore, secretUses }: Needs): readonly Component[] {
  const names = [...hall.board.secrets.keys()];
  const owners = new Map<string, SecretUse[]>();
  for (const use of secretUses()) owners.set(use.owner, [...(owners.get(use.owner) ?? []), use]);
  return [
    storeHealth(names, secretStore),
    ...[...owners].map(([owner, uses]) => ownerHealth(owner, uses, secretStore)),
  ];
}

function storeHealth(names: readonly string[], secretStore: SecretStore): Component {
  const name = 'secrets';
  const { key, keyFault } = secretStore;
  if (names.length === 0) return { name, status: 'up', says: 'none are stored' };
  const unreadable = names.flatMap((each) => secretStore.unreadable(each) ?? []);
  if (keyFault !== null) return { name, status: 'down', says: `${keyFault} (${names.join(', ')})` };
  if (unreadable.length > 0) return { name, status: 'down', says: unreadable.join('; ') };
  return {
    name,
    status: 'up',
    says: `${names.length} stored, encrypted with the key in ${key.place}`,
  };
}

function ownerHealth(
  name: string,
  uses: readonly SecretUse[],
  secretStore: SecretStore,
): Component {
  const faults = uses.flatMap(({ name: secret, kind, setting }) => {
    const fault = secretStore.faultOf(secret, kind);
    return fault === undefined ? [] : [`its ${setting} cannot be used: ${fault}`];
  });
  if (faults.length > 0) return { name, status: 'down', says: faults.join('; ') };
  const secrets = uses.map(({ name: secret, setting }) => `${setting} is the secret ${secret}`);
  return { name, status: 'up', says: secrets.join(', ') };
}
