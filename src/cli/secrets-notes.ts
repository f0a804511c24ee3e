import type { StoredSecrets } from '../main/stored-secrets.ts';
import type { Cli } from './command.ts';
import { plural } from './plural.ts';

/** What a copy of the data holds of the secrets, for whoever keeps it. */
export function sayEncrypted({ out }: Pick<Cli, 'out'>, { names, key }: StoredSecrets): void {
  if (names.length === 0) return;
  out.say(
    `${plural(names.length, 'secret')} in it ${names.length === 1 ? 'is' : 'are'} encrypted; the key is not in it: keep a copy of ${key} in another place`,
  );
}

/** Which secrets the restored data has that this hall cannot read. */
export function sayUnreadable(
  { out, command }: Pick<Cli, 'out' | 'command'>,
  { unreadable, key }: StoredSecrets,
): void {
  const [first] = unreadable;
  if (first === undefined) return;
  out.warn(
    `these secrets cannot be read with the key in ${key}: ${unreadable.join(', ')}; put their key there, or start the hall and enter them again with: ${command('secrets set', `${first} --new-key`)}`,
  );
}
