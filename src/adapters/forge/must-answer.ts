import { ForgeFailed } from '../../ports/forge.ts';
import { type ForgeAnswer, type ForgeCall, type ForgeClient, messageIn } from './client.ts';

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
    retry: answer.status === 403 || answer.status === 404 ? 'never' : 'later',
  });
}
