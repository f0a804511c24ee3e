import type { Cli } from '../command.ts';
import { InvalidUsage } from '../invalid-usage.ts';
import type { ForgeWish } from './added-forge.ts';

/** The hall reads the file again; throws when it does not accept it. */
export async function reload({ client }: Cli): Promise<void> {
  const { mistakes } = await client().call('reloadConfig');
  if (mistakes.length > 0) throw new InvalidUsage(mistakes.join('\n'));
}

interface StoredValue {
  readonly name: string;
  readonly kind: 'forge_token' | 'webhook_secret' | 'app_key';
  readonly value: string;
  readonly keepsPrevious?: boolean;
}

export async function store(
  { client }: Cli,
  { name, kind, value, keepsPrevious = false }: StoredValue,
): Promise<string> {
  const body = { name, kind, value, keep_previous: keepsPrevious, new_key: false };
  await client().call('setSecret', { body });
  return name;
}

export function connect({ client }: Cli, { name, rotates }: Pick<ForgeWish, 'name' | 'rotates'>) {
  return client().call('connectForge', { path: { name }, body: { new_secret: rotates } });
}
