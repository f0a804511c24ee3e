import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HallSettings } from '../config/config.ts';
import { type Environment, lookUp } from '../config/variable-references.ts';
import { readHallFile } from '../main/hall-file.ts';
import { tokenPath } from '../main/token-file.ts';
import { InvalidUsage } from './invalid-usage.ts';

/** Where a hall is, and with which token it is asked. */
export interface Reach {
  readonly url: string;
  readonly token: string | undefined;
  /** Where the token came from, in words, for when it is not accepted. */
  readonly tokenFrom: string;
}

/** No hall is known to run, so there is nobody to ask. */
class NoHall extends Error {
  override readonly name = 'NoHall';
}

interface FindOptions {
  readonly url: string | undefined;
  readonly token: string | undefined;
  readonly environment: Environment;
  readonly cwd: string;
  /** How this program is called here. */
  readonly self: string;
  /** Read only when neither flag nor variable says it. */
  readonly hall: () => HallSettings;
}

/**
 * A flag is above a variable, which is above the hall of this folder. The token in the data folder is
 * for that hall alone: it is never sent to an address that somebody typed.
 */
export function findHall({ url, token, environment, cwd, self, hall }: FindOptions): Reach {
  const named = url ?? (environment['GUILDHALL_URL'] || undefined);
  const typed = typedToken(token, { environment, cwd });
  if (named !== undefined) {
    // "localhost:4600" is a URL too, of a protocol that nobody speaks.
    if (!/^https?:\/\/./.test(named)) {
      throw new InvalidUsage(
        `${named} is no address of a hall: it begins with http:// or https://`,
      );
    }
    return { url: named, ...(typed ?? { token: undefined, tokenFrom: noToken(self) }) };
  }
  const { data, store } = hall();
  const running = readHallFile(data);
  if (!running) {
    throw new NoHall(
      `no hall runs on ${data}: start it with "${self} start", or name another one with --url`,
    );
  }
  return {
    url: running.url,
    ...(typed ?? localToken(data, store.kind === 'postgres' ? oneOfSeveral(self) : '')),
  };
}

function noToken(self: string): string {
  return (
    'no token was given, and that of this folder is sent to no other hall: ' +
    `on the machine of that hall "${self} token create NAME --role worker" makes one for a worker, --role operator one for a person`
  );
}

type Token = Pick<Reach, 'token' | 'tokenFrom'>;

function typedToken(
  token: string | undefined,
  { environment, cwd }: Pick<FindOptions, 'environment' | 'cwd'>,
): Token | undefined {
  if (token !== undefined) return { token, tokenFrom: 'the token given with --token' };
  for (const name of ['GUILDHALL_TOKEN', 'GUILDHALL_TOKEN_FILE']) {
    const found = environment[name] ? lookUp(name, { environment, cwd }) : undefined;
    if (found && 'value' in found)
      return { token: found.value, tokenFrom: `the token in $${name}` };
    if (found) throw new NoHall(found.fault);
  }
  return undefined;
}

function oneOfSeveral(self: string): string {
  return `, which opens nothing while another node leads: on that one "${self} token create NAME --role operator" makes a token that holds on all`;
}

function localToken(data: string, limits: string): Token {
  const path = tokenPath(data);
  try {
    return { token: readFileSync(path, 'utf8').trim(), tokenFrom: `the token in ${path}${limits}` };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown fault';
    return {
      token: undefined,
      tokenFrom: `no token: ${join(data, 'token')} is not readable (${code})`,
    };
  }
}
