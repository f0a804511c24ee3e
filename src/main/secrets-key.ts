import { createKeyCommand } from '../adapters/secrets/key-command.ts';
import { createKeyFile } from '../adapters/secrets/key-file.ts';
import type { HallSettings } from '../config/config.ts';
import type { SecretsKey } from '../ports/secrets-key.ts';

/** The key of the stored secrets, as the configuration says. `known` gets every key that is read or made. */
export function createSecretsKey(
  { secretsKey, data }: Pick<HallSettings, 'secretsKey' | 'data'>,
  known: (text: string) => void,
): SecretsKey {
  return secretsKey.kind === 'file'
    ? createKeyFile({ path: secretsKey.path, notIn: data, known })
    : createKeyCommand({ ...secretsKey, known });
}
