import { readFileSync } from 'node:fs';
import type { HallSettings } from '../config/config.ts';
import type { DataLocation, FoundData } from '../config/find-data.ts';
import { type Environment, lookUp } from '../config/variable-references.ts';
import { readHallFile, tokenPath } from '../main/hall-file.ts';
import { InvalidUsage } from './invalid-usage.ts';
import type { PrintedCommands } from './printed-commands.ts';

/** Where a hall is, and the token for its API. */
export interface Reach {
  readonly url: string;
  readonly token: string | undefined;
  /** Says where the token came from, for when it is not accepted. */
  readonly tokenFrom: string;
}

/** There is no running hall to call. */
class NoHall extends Error {
  override readonly name = 'NoHall';
}

interface FindOptions {
  readonly url: string | undefined;
  readonly token: string | undefined;
  readonly environment: Environment;
  readonly cwd: string;
  readonly command: PrintedCommands['command'];
  /** Where the data is, if that can be said without checking the configuration. */
  readonly quick: () => Promise<FoundData | undefined>;
  /** Read only when there is no running hall otherwise: then a mistake in the configuration may be the reason. */
  readonly hall: () => Promise<HallSettings>;
}

/**
 * A flag wins over a variable, which wins over the hall of this folder. The token in the data folder is
 * for that hall only: it is never sent to an address that a user typed.
 */
export async function findHall(options: FindOptions): Promise<Reach> {
  const { url, token, environment, cwd, command } = options;
  const named = url ?? (environment['GUILDHALL_URL'] || undefined);
  const typed = typedToken(token, { environment, cwd });
  if (named !== undefined) {
    // "localhost:4600" parses as a URL too, with the protocol "localhost:".
    if (!/^https?:\/\/./.test(named)) {
      throw new InvalidUsage(
        `${named} is not the address of a hall: it must begin with http:// or https://`,
      );
    }
    return { url: named, ...(typed ?? { token: undefined, tokenFrom: NO_TOKEN }) };
  }
  const { data, isShared, running } = await runningHall(options);
  return { url: running, ...(typed ?? localToken(data, isShared ? oneOfSeveral(command) : '')) };
}

/** The URL of the hall of this folder, and its data. */
async function runningHall({
  quick,
  hall,
  command,
}: FindOptions): Promise<DataLocation & { readonly running: string }> {
  const guess = await quick();
  const isSure = guess !== undefined && (guess.isDefault || readHallFile(guess.data) !== undefined);
  const where = isSure ? guess : checked(await hall());
  const running = readHallFile(where.data);
  if (running) return { ...where, running: running.url };
  throw new NoHall(
    `no hall is running on ${where.data}; start it with: ${command('start')} (or name another hall with --url)`,
  );
}

function checked({ data, store }: HallSettings): DataLocation {
  return { data, isShared: store.kind === 'postgres' };
}

/** The options that were typed here select nothing on another machine. */
const NO_TOKEN =
  "no token was sent, because this folder's token is valid only for its own hall; " +
  'create one on the machine of the hall you are connecting to with: guildhall token create NAME --role worker (for a person: --role operator)';

type Token = Pick<Reach, 'token' | 'tokenFrom'>;

function typedToken(
  token: string | undefined,
  { environment, cwd }: Pick<FindOptions, 'environment' | 'cwd'>,
): Token | undefined {
  if (token !== undefined) return { token, tokenFrom: 'sent the token of --token' };
  for (const name of ['GUILDHALL_TOKEN', 'GUILDHALL_TOKEN_FILE']) {
    const found = environment[name] ? lookUp(name, { environment, cwd }) : undefined;
    if (found && 'value' in found)
      return { token: found.value, tokenFrom: `sent the token in $${name}` };
    if (found) throw new NoHall(found.fault);
  }
  return undefined;
}

function oneOfSeveral(command: PrintedCommands['command']): string {
  return `, which is not accepted while another node is the leader; create one for all nodes on the leader with: ${command('token create', 'NAME --role operator')}`;
}

function localToken(data: string, limits: string): Token {
  const path = tokenPath(data);
  try {
    return {
      token: readFileSync(path, 'utf8').trim(),
      tokenFrom: `sent the token in ${path}${limits}`,
    };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    return {
      token: undefined,
      tokenFrom: `no token was sent: cannot read ${path} (${code})`,
    };
  }
}
