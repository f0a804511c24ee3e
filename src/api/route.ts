import type { z } from 'zod';

/**
 * Who may call a route: `anyone`, even without a token; `webhook`, whoever signs with the secret of
 * the forge; `viewer`, a viewer or an operator;
 * `operator`; `join`, a caller that may register workers; `worker`, only the worker that the
 * request is about. Where workers share a route with others, they may act only on what is their
 * own.
 */
export const POLICIES = [
  'anyone',
  'webhook',
  'viewer',
  'viewer_or_worker',
  'operator',
  'operator_or_worker',
  'join',
  'worker',
] as const;
export type Policy = (typeof POLICIES)[number];

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface Answer {
  readonly description: string;
  readonly body?: z.ZodType;
  readonly example?: unknown;
  /** The content type, if not JSON. */
  readonly mediaType?: string;
}

export interface Route {
  readonly method: Method;
  /** Names in braces are parameters: `/v1/tasks/{id}`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly policy: Policy;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly example?: unknown;
  /** Its body is redacted from the log, and no plain hash of it is stored. */
  readonly bodyIsSecret?: true;
  /** The maximum body size, if not the default. */
  readonly mostBytes?: number;
  readonly answers: Readonly<Record<number, Answer>>;
}
