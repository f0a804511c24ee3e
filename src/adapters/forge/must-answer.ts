import { ForgeFailed } from '../../ports/forge.ts';
import { type ForgeAnswer, type ForgeCall, type ForgeClient, messageIn } from './client.ts';

/** What was asked for is not there, or not allowed: the forge itself works. */
const NOT_THE_FORGE = [301, 307, 403, 404, 410];

/** The answer of a call, if it has one of these statuses. Throws otherwise. */
export async function mustAnswer(
  client: ForgeClient,
  call: ForgeCall,
  ...wanted: readonly number[]
): Promise<ForgeAnswer> {
  const answer = await client.call(call);
  if (wanted.includes(answer.status)) return answer;
  const said = messageIn(answer.body);
  throw new ForgeFailed(`${call.method} ${call.path} was answered with ${answer.status}: ${said}`, {
    retry: NOT_THE_FORGE.includes(answer.status) ? 'never' : 'later',
  });
}
