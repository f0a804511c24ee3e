import type { ProvenRight } from '../../ports/forge-setup.ts';
import { type ForgeCall, type ForgeClient, messageIn } from './client.ts';

interface RightInUse {
  readonly right: string;
  readonly fix: string;
  /** A call that needs the right. */
  readonly call: ForgeCall;
  /** Statuses with which a caller is answered who has the right. */
  readonly granted: readonly number[];
}

/** Makes a call and says whether the forge allowed it. */
export async function useRight(
  client: ForgeClient,
  { right, fix, call, granted }: RightInUse,
): Promise<ProvenRight> {
  const { status, body } = await client.call(call);
  if (granted.includes(status)) return { right, fix, refusal: null };
  const said = messageIn(body);
  const refusal = `${call.method} ${call.path} was answered with ${status}`;
  return { right, fix, refusal: said === '' ? refusal : `${refusal}: ${said}` };
}
