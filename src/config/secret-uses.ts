import { type SecretUse, storedName } from '../domain/secret.ts';
import type { ConfigFile } from './schema.ts';

interface Written extends Omit<SecretUse, 'name'> {
  readonly reference: string | null | undefined;
}

/** The entries that name a stored secret. */
export function secretUsesOf({ invokers, forges }: ConfigFile): readonly SecretUse[] {
  const written: readonly Written[] = [
    ...invokers.map(({ handle, credential }): Written => {
      const owner = `invoker ${handle}`;
      return { reference: credential, kind: 'invoker_credential', owner, setting: 'credential' };
    }),
    ...Object.entries(forges).flatMap(([name, forge]) =>
      forge ? usesOfForge(`forge ${name}`, forge) : [],
    ),
  ];
  return written.flatMap(({ reference, ...use }): SecretUse[] => {
    const name = storedName(reference ?? '');
    return name === undefined ? [] : [{ name, ...use }];
  });
}

type Forges = ConfigFile['forges'];
type Forge = NonNullable<Forges['github']> | Forges[string];

function usesOfForge(owner: string, forge: Forge): readonly Written[] {
  const { token, webhook_secret: webhook } = forge;
  const app = 'app' in forge ? forge.app : null;
  return [
    { reference: token, kind: 'forge_token', owner, setting: 'token' },
    { reference: webhook, kind: 'webhook_secret', owner, setting: 'webhook_secret' },
    { reference: app?.key, kind: 'app_key', owner, setting: 'app.key' },
  ];
}
