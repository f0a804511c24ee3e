import type { IncomingHttpHeaders } from 'node:http';
import { appOfJwt } from '../state/apps.ts';
import { EmulatorRefused } from '../state/emulator-refused.ts';
import type { Caller } from '../state/model.ts';
import type { World } from '../state/world.ts';

/** Who sends a request: a token as Bearer, as `token …`, or as the password that git sends. */
export function callerOf(world: World, { authorization }: IncomingHttpHeaders): Caller {
  if (authorization === undefined) return { is: 'anonymous' };
  const [scheme = '', value = ''] = authorization.split(' ', 2);
  const token = /^basic$/i.test(scheme) ? passwordIn(value) : value;
  if (/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return { is: 'app', app: appOfJwt(world, token) };
  const known = world.tokens.get(token);
  if (!known) throw new EmulatorRefused('bad_credentials');
  if (known.expiresAt !== null && known.expiresAt <= world.now()) {
    throw new EmulatorRefused('bad_credentials');
  }
  return known.caller;
}

/** `x-access-token:TOKEN`, `user:TOKEN`, and the token as the name with no password. */
function passwordIn(encoded: string): string {
  const [user = '', ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  const password = rest.join(':');
  return password === '' || password === 'x-oauth-basic' ? user : password;
}
