import { z } from 'zod';
import type { AgentEnd } from '../../ports/agent.ts';

type Failed = Extract<AgentEnd, { how: 'failed' }>;

/** How the agent's program says it ended. All of it is a claim. */
export type Ending =
  | { readonly how: 'stopped' | 'max_turns' }
  | Pick<Failed, 'how' | 'why' | 'because' | 'resetsAt'>;

const Result = z.looseObject({
  type: z.literal('result'),
  subtype: z.string(),
  is_error: z.boolean().optional(),
  result: z.string().optional(),
  errors: z.array(z.string()).optional(),
  api_error_status: z.number().nullable().optional(),
});

const RateLimit = z.looseObject({
  type: z.literal('rate_limit_event'),
  rate_limit_info: z.looseObject({ status: z.literal('rejected'), resetsAt: z.number() }),
});

const Retry = z.looseObject({
  type: z.literal('system'),
  subtype: z.literal('api_retry'),
  error_status: z.number().nullable(),
});

/** How the run will end, judging by the messages so far. */
interface EndingSoFar {
  readonly ending: Ending | null;
  readonly resetsAt: number | null;
  /** The last status with which the provider refused a call. */
  readonly status: number | null;
}

export const NO_ENDING: EndingSoFar = { ending: null, resetsAt: null, status: null };

export function updateEnding(soFar: EndingSoFar, message: unknown): EndingSoFar {
  const limit = RateLimit.safeParse(message);
  if (limit.success) {
    return { ...soFar, resetsAt: limit.data.rate_limit_info.resetsAt * 1_000 };
  }
  const retry = Retry.safeParse(message);
  if (retry.success) return { ...soFar, status: retry.data.error_status };
  const result = Result.safeParse(message);
  return result.success ? { ...soFar, ending: endingOf(soFar, result.data) } : soFar;
}

/** The SDK reports "success" even if the last model call was refused, so `is_error` counts. */
function endingOf(soFar: EndingSoFar, result: z.output<typeof Result>): Ending {
  if (result.subtype === 'error_max_turns') return { how: 'max_turns' };
  if (result.subtype === 'success' && result.is_error !== true) return { how: 'stopped' };
  const because = [result.result ?? '', ...(result.errors ?? [])]
    .join(' ')
    .trim()
    .slice(0, LONGEST);
  const status = result.api_error_status ?? soFar.status;
  const why = whyOf(status, because);
  const resetsAt = why === 'quota' ? soFar.resetsAt : null;
  return { how: 'failed', why, because: because || result.subtype, resetsAt };
}

const LONGEST = 2_000;

function whyOf(status: number | null, because: string): Failed['why'] {
  if (/No conversation found/i.test(because)) return 'session_lost';
  if (status === 401 || status === 403) return 'auth';
  if (status === 429) return 'quota';
  if (status !== null && status >= 500) return 'overloaded';
  return status === null ? 'crashed' : 'refused';
}
